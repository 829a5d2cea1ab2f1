import { type Answer, answerOf, type Exchange } from '../../core/exchange.ts';
import { type Page, readPage } from '../../core/page.ts';
import { askedOf } from '../../core/route.ts';
import { shown } from '../../core/text.ts';
import { answerPromises } from '../../promises/all-promises.ts';
import { answered } from '../../promises/errors.ts';
import { type Judgement } from '../../promises/judgement.ts';
import { eachItemOnce } from '../../promises/lists.ts';
import { heldToleranceMs, waitHolds } from '../../promises/message-requests.ts';
import { requirement, type RequirementId } from '../../spec/catalogue.ts';
import type { Sure } from '../schedule/load-request.ts';

/** A promise that an answer broke. */
export type Finding = {
  readonly rule: RequirementId;
  readonly sentence: string;
  readonly expected: string;
  readonly actual: string;
};

/** A load has violations and no warnings, and a legal deployment may leave a should unheeded. */
const musts = answerPromises.filter((promise) => requirement(promise.requirement).level === 'must');

/** Every must that the exchange breaks by itself, or with what the load is sure of. */
export function judgeAnswer(exchange: Exchange, sure?: Sure): readonly Finding[] {
  const answer = answerOf(exchange);
  if (answer === undefined) return findingsOf(answered.requirement, answered.judge(exchange));
  const alone = musts.flatMap((promise) => findingsOf(promise.requirement, promise.judge(answer)));
  return sure === undefined ? alone : [...alone, ...findingsWith(sure, answer)];
}

/** Only for models: a deleted data source may still be listed, and what its ID gives as a cursor is not specified. */
function findingsWith(sure: Sure, answer: Answer): readonly Finding[] {
  if (sure === 'new key') {
    return findingsOf(waitHolds.requirement, waitHolds.judge({ answer, toleranceMs: heldToleranceMs }));
  }
  const [cursor] = askedOf(answer.exchange)?.query.get('cursor') ?? [];
  const page = answer.exchange.operation === 'listModels' ? readPage(answer) : undefined;
  if (cursor === undefined || page === undefined) return [];
  const before: Page = { ...page, items: [{ id: cursor, createdAt: undefined, record: undefined }] };
  return findingsOf(eachItemOnce.requirement, eachItemOnce.judge([before, page]));
}

function findingsOf(rule: RequirementId, judgement: Judgement): readonly Finding[] {
  if (judgement === undefined || judgement === 'kept') return [];
  const { sentence } = requirement(rule);
  return [{ rule, sentence, expected: shown(judgement.expected, 300), actual: shown(judgement.actual, 300) }];
}
