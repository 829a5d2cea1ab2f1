import { answerOf, type Exchange } from '../../core/exchange.ts';
import { shown } from '../../core/text.ts';
import { answerPromises } from '../../promises/all-promises.ts';
import { answered } from '../../promises/errors.ts';
import { type Judgement } from '../../promises/judgement.ts';
import { requirement, type RequirementId } from '../../spec/catalogue.ts';

/** A promise that an answer broke. */
export type Finding = {
  readonly rule: RequirementId;
  readonly sentence: string;
  readonly expected: string;
  readonly actual: string;
};

/** A load has violations and no warnings, and a legal deployment may leave a should unheeded. */
const musts = answerPromises.filter((promise) => requirement(promise.requirement).level === 'must');

/** Every must that the exchange breaks by itself. */
export function judgeAnswer(exchange: Exchange): readonly Finding[] {
  const answer = answerOf(exchange);
  if (answer === undefined) return findingsOf(answered.requirement, answered.judge(exchange));
  return musts.flatMap((promise) => findingsOf(promise.requirement, promise.judge(answer)));
}

function findingsOf(rule: RequirementId, judgement: Judgement): readonly Finding[] {
  if (judgement === undefined || judgement === 'kept') return [];
  const { sentence } = requirement(rule);
  return [{ rule, sentence, expected: shown(judgement.expected, 300), actual: shown(judgement.actual, 300) }];
}
