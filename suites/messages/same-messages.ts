import { must, mustEqual, mustSucceed } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Sent } from '../../stage/chats/conversation.ts';
import { instantOf } from '../../core/instant.ts';
import { at, stringAt } from '../../core/json.ts';
import { describe } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';

/** How far apart two instants of one creation may be, in milliseconds. */
const apartMs = 5000;

/** The answer shows the messages of the one that was sent. */
export function isSame(sent: Sent, answer: Answer): boolean {
  const [user, assistant] = idsOf(answer);
  return isSuccess(answer) && user === sent.userMessageId && assistant === sent.assistantMessageId;
}

export function mustBeSame(sent: Sent, again: Answer, when: string): void {
  mustSucceed(again, `for the same key ${when}`);
  const isDocumented = again.status === 200 || again.status === 202;
  must(isDocumented, `200 or 202 for the same key ${when}`, summary(again), sent.answer, again);
  const [user, assistant] = idsOf(again);
  if (user === undefined || assistant === undefined) {
    throw new Blocked('a message has no ID: messages.envelope judges that');
  }
  mustEqual(user, sent.userMessageId, `for the same key ${when} userMessage.id`, sent.answer, again);
  mustEqual(assistant, sent.assistantMessageId, `for the same key ${when} assistantMessage.id`, sent.answer, again);
  const [before, now] = [sent.answer, again].map(({ json }) => stringAt(json, 'data', 'assistantMessage', 'status'));
  const isComplete = sent.answer.status === 200 && now !== undefined && now === before && now !== 'generating';
  const expected = `200 for the same key ${when}, the response being complete`;
  must(!isComplete || again.status === 200, expected, `202, and ${describe(now)}`, sent.answer, again);
  mustBeAsBefore(sent.answer, again, `for the same key ${when} userMessage.`);
}

/** What of a message is settled once it is there: who wrote what, after which message, and when. */
function mustBeAsBefore(first: Answer, again: Answer, where: string): void {
  for (const field of ['text', 'role', 'parentId', 'createdAt'] as const) {
    const [before, now] = [first, again].map(({ json }) => stringAt(json, 'data', 'userMessage', field));
    // What a message follows may be known only later.
    if (before === undefined || now === undefined || (field === 'parentId' && before === '')) continue;
    if (field === 'createdAt' && isAbout(before, now)) continue;
    mustEqual(now, before, `${where}${field}`, first, again);
  }
}

/** The two may come from two clocks and in two precisions. Whose instant is not plain is not compared. */
function isAbout(before: string, now: string): boolean {
  const [one, other] = [instantOf(before), instantOf(now)];
  return one === undefined || other === undefined || Math.abs(other - one) <= apartMs;
}

/** A success must show no message of the one that was sent; a refusal shows none. */
export function mustBeAnother(sent: Sent, other: Answer, when: string): void {
  if (!isSuccess(other)) return;
  const leaked = idsOf(other).find((id) => id === sent.userMessageId || id === sent.assistantMessageId);
  must(leaked === undefined, `other messages ${when}`, `the message ${describe(leaked)}`, sent.answer, other);
}

function idsOf({ json }: Answer): readonly [unknown, unknown] {
  return [at(json, 'data', 'userMessage', 'id'), at(json, 'data', 'assistantMessage', 'id')];
}
