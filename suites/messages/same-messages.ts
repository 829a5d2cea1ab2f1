import { judgeOther, judgeRepetition } from '../../promises/idempotency.ts';
import { mustBeKept } from '../shared/must-keep.ts';
import { mustSucceed } from '../../engine/answer.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import type { Sent } from '../../stage/chats/sending.ts';
import { at } from '../../core/json.ts';
import { Blocked } from '../../engine/verdict.ts';

/** Whether the answer shows the messages of the one sent before. */
export function isSame(sent: Sent, answer: Answer): boolean {
  const [user, assistant] = idsOf(answer);
  return isSuccess(answer) && user === sent.userMessageId && assistant === sent.assistantMessageId;
}

export function mustBeSame(sent: Sent, again: Answer, when: string): void {
  mustSucceed(again, `for the same key ${when}`);
  const isJudged = mustBeKept(judgeRepetition({ first: sent.answer, again }), `for the same key ${when}`);
  if (!isJudged) throw new Blocked('a message has no ID: messages.envelope judges that');
}

/** A success must not show the messages of the one sent before; a refusal shows none. */
export function mustBeAnother(sent: Sent, other: Answer, when: string): void {
  mustBeKept(judgeOther({ first: sent.answer, again: other }), when);
}

function idsOf({ json }: Answer): readonly [unknown, unknown] {
  return [at(json, 'data', 'userMessage', 'id'), at(json, 'data', 'assistantMessage', 'id')];
}
