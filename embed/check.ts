/** What a vendor's own checks are written with; `awc run --suites DIR` runs them. */
export {
  must,
  mustEqual,
  mustHaveErrorBody,
  mustNotBe5xx,
  mustNotSucceed,
  mustStatus,
  mustSucceed,
} from '../engine/answer.ts';
export { type Api, as, type Caller } from '../engine/api.ts';
export type { Check } from '../engine/check.ts';
export { givenGenerating, givenIdleChat, givenSent } from '../stage/chats/conversation.ts';
export type { Answer } from '../core/exchange.ts';
export { at, stringAt } from '../core/json.ts';
export { givenLongestList } from '../stage/lists/lists.ts';
export { givenPage } from '../stage/lists/pages.ts';
export { ownCheck as check, type OwnId, type Rule } from '../engine/own-check.ts';
export { Blocked } from '../engine/verdict.ts';
