/** What a vendor's own checks are written with; `awc run --suites DIR` runs them. */
export {
  must,
  mustEqual,
  mustHaveErrorBody,
  mustNotBe5xx,
  mustNotSucceed,
  mustStatus,
  mustSucceed,
} from '../harness/answer.ts';
export { type Api, as, type Caller } from '../harness/api.ts';
export type { Check } from '../harness/check.ts';
export { givenGenerating, givenIdleChat, givenSent } from '../harness/conversation.ts';
export type { Answer } from '../harness/exchange.ts';
export { at, stringAt } from '../harness/json.ts';
export { givenLongestList, givenPage } from '../harness/lists.ts';
export { ownCheck as check, type OwnId, type Rule } from '../harness/own-check.ts';
export { Blocked } from '../harness/verdict.ts';
