import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { waitIn } from '../../core/paths.ts';
import type { Api } from '../../engine/api.ts';
import { mayBeHeldInFull, slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { Blocked } from '../../engine/verdict.ts';
import { mustBeExplicable } from '../../stage/chats/chat-attempts.ts';
import { durationsOf } from '../../stage/chats/latest-message.ts';
import {
  givenFirstSent,
  givenIdleChat,
  givenSent,
  makeIdle,
  tooFast,
  unlessRefused,
} from '../../stage/chats/conversation.ts';
import { keysWork } from '../../stage/chats/key-header.ts';
import { followToEnd, givenPace } from '../../stage/chats/pace.ts';
import { quiet, send, sendAgain, sendWhenFree } from '../../stage/chats/sending.ts';
import { givenAfterWait } from '../messages/after-wait.ts';

/** A hold that no network causes, in milliseconds. */
const longHoldMs = 5000;

/** The most seconds of the second hold: a response in progress is enough, however long it lasts. */
const mostSecondHold = 10;

/** The lock of a chat may belong to the waiting request and end with it, and so may the response. */
export async function mustRefuseAfterWait(api: Api): Promise<void> {
  if (!(await keysWork(api)))
    throw new Blocked('the deployment accepts no idempotency key, so a running response cannot be observed');
  const seen = await givenAfterWait(api);
  if (seen?.violation !== undefined) throw seen.violation;
  if (seen?.next?.status === 409) return;
  // A single response that never finishes may be lost.
  const mayBeCancelled = seen?.next !== undefined && isSuccess(seen.next) && isHeldInVain(api, seen.finished);
  if (seen !== undefined && !mayBeCancelled)
    return mustNotEndWithWait(api, await givenIdleChat(api), seen.second.answer, seen.next);
  const pace = await givenPace(api);
  // The lock may be part of what the first response of a chat leaves behind.
  const sent = await givenFirstSent(api, api.session.target.assistant.slowPrompt, { wait: 1 });
  const { chat } = sent;
  const next = await send(api, chat, { message: api.session.target.assistant.quickPrompt });
  // The response must be shown running for longer than an answer may be late.
  if (isSuccess(next)) await followToEnd(api, [sent], pace);
  const wait = slowPromptWait(api.session);
  const last = await sendAgain(api, sent, { wait: mayBeCancelled ? Math.min(mostSecondHold, wait) : wait });
  mustBeExplicable(api, chat);
  if (sent.answer.status !== 202) throw new Blocked(tooFast);
  if (next.status === 409) return;
  const isEarly = next.exchange.receivedAt - sent.answer.exchange.sentAt < quickestMs(api);
  const isCancelled = mayBeCancelled && isSuccess(next) && isEarly && isHeldInVain(api, last);
  const seconds = Math.round((last.exchange.receivedAt - next.exchange.sentAt) / 1000);
  const actual = `${summary(next)}, and the response before is still in progress ${seconds} s later, twice`;
  must(!isCancelled, '409 while a response is generating', actual, sent.answer, next, last);
  await mustNotEndWithWait(api, chat, sent.answer, next);
}

/** How often a chat must accept a message right after a wait to be no accident. */
const timesFreed = 3;
/** By this factor the other responses must have taken longer. */
const timesLonger = 2;

/**
 * A response may have ended in the moment between the answer to `wait=1` and the next message. By chance, that does not happen each time
 * if responses in the same chat, which are waited for in between, take much longer. Blocked if it may.
 */
async function mustNotEndWithWait(api: Api, chat: Chat, held: Answer, accepted: Answer | undefined): Promise<void> {
  if (accepted === undefined || !isSuccess(accepted)) throw new Blocked(unlessRefused(accepted));
  const isLate = accepted.exchange.receivedAt - held.exchange.receivedAt > api.session.target.limits.toleranceMs;
  // Where requests are held longer than their responses take, an answer does not show how long that is.
  if (isLate || mayBeHeldInFull(api.session)) throw new Blocked(unlessRefused(accepted));
  const { slowPrompt: message, quickPrompt } = api.session.target.assistant;
  const evidence: Answer[] = [];
  for (let time = 0; time < timesFreed; time += 1) {
    await makeIdle(api, chat);
    await quiet(api, chat);
    const waitedFor = await sendWhenFree(api, chat, { message, wait: slowPromptWait(api.session) });
    if (waitedFor.status !== 200) throw new Blocked(unlessRefused(accepted));
    await quiet(api, chat);
    const freed = await givenSent(api, chat, message, { wait: 1 });
    const next = await send(api, chat, { message: quickPrompt });
    if (freed.answer.status === 202 && next.status === 409) return;
    const again = await sendAgain(api, freed, { wait: undefined });
    const afterMs = next.exchange.receivedAt - freed.answer.exchange.sentAt;
    const mayHaveEnded = again.status === 200 || waitedFor.elapsedMs < timesLonger * afterMs;
    if (freed.answer.status !== 202 || !isSuccess(next) || mayHaveEnded || freed.answer.exchange.repeats === true)
      throw new Blocked(unlessRefused(accepted));
    evidence.push(waitedFor, freed.answer, next, again);
  }
  const actual = `2xx each of ${timesFreed} times that wait=1 was answered 202, and the responses in between took more than ${timesLonger} times as long`;
  must(false, '409 while a response is generating', actual, ...evidence);
}

/** How long after a slow message its response surely is in progress, by the quickest one that was seen, in milliseconds. */
function quickestMs({ session }: Api): number {
  return durationsOf(session, session.target.assistant.slowPrompt).leastMs - session.target.limits.toleranceMs;
}

/** Whether a repetition waited for the end of a response for long and did not see it. Its answer may be a stored one all the same. */
function isHeldInVain({ session }: Api, { status, elapsedMs, exchange }: Answer): boolean {
  const waitMs = 1000 * Number(waitIn(exchange.request.path) ?? 0);
  return status === 202 && waitMs >= longHoldMs && elapsedMs >= waitMs - session.target.limits.toleranceMs;
}
