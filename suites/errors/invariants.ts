import type { Invariant } from '../../engine/session/session.ts';
import { Violation } from '../../engine/verdict.ts';
import { accountRecord, accountTypes } from '../../promises/billing.ts';
import { noSecretDeleted } from '../../promises/data-sources.ts';
import { deletionPromises } from '../../promises/deletion.ts';
import { answered, errorPromises } from '../../promises/errors.ts';
import { type AnswerPromise, eachIn, type Judgement } from '../../promises/judgement.ts';
import { cursorIsLastId, cursorNull, envelope, metaTypes, pageIn, pageSizes } from '../../promises/lists.ts';
import {
  chatIsThePath,
  chatTypes,
  messageEnvelope,
  messageTypes,
  okIsFinished,
  successStatus,
} from '../../promises/messages.ts';
import { modelShapes } from '../../promises/model-shapes.ts';
import { filteredModels, modelsIn, modelsStatus, ownOrganization } from '../../promises/models.ts';
import { rateLimitBody } from '../../promises/rate-limit.ts';
import type { ReadRecord } from '../../promises/records.ts';
import type { Answer, Exchange } from '../../core/exchange.ts';

/** The requirements that every answer is judged by, whichever check sent the request. */
export const invariants: readonly Invariant[] = [
  ...[
    ...errorPromises,
    rateLimitBody,
    chatIsThePath,
    envelope,
    metaTypes,
    modelsStatus,
    successStatus,
    messageEnvelope,
    chatTypes,
    messageTypes,
    okIsFinished,
    accountRecord,
    accountTypes,
    ...deletionPromises,
    noSecretDeleted,
    eachIn(modelsIn, ownOrganization),
    eachIn(modelsIn, filteredModels),
    ...modelShapes.map((shape) => eachIn(departingModelsIn, shape)),
    eachIn(pageIn, cursorIsLastId),
    eachIn(pageIn, cursorNull),
    ...pageSizes,
  ].map(ofAnswer),
  { requirement: answered.requirement, judge: (exchange) => verdictOf(answered.judge(exchange), exchange) },
];

/** The models that depart from their schema anywhere: looking at all others for each of its requirements would take long. */
function departingModelsIn(answer: Answer): readonly ReadRecord[] {
  return modelsIn(answer).filter(({ departures }) => departures.length > 0);
}

function ofAnswer({ requirement, judge }: AnswerPromise): Invariant {
  return {
    requirement,
    judge: (exchange, answer) => (answer === undefined ? undefined : verdictOf(judge(answer), exchange)),
  };
}

function verdictOf(judgement: Judgement, exchange: Exchange): Violation | 'kept' | undefined {
  if (judgement === undefined || judgement === 'kept') return judgement;
  return new Violation(judgement.expected, judgement.actual, [exchange]);
}
