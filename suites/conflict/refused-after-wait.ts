import { must } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { waitIn } from '../../core/paths.ts';
import type { Api } from '../../engine/api.ts';
import { slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { Blocked, Violation } from '../../engine/verdict.ts';
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
  if (seen !== undefined && !mayBeCancelled) return mustNotEndWithWait(api, seen.next);
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
  await mustNotEndWithWait(api, next);
}

/** How often a chat must accept a message right after a wait to be no accident, and how many other responses must have taken longer. */
const timesFreed = 3;
const leastOthers = 3;

/**
 * Where repetitions show nothing, the response may have ended in the moment between the answer and the next message. It does not do so
 * each time if every response to this text that was waited for takes more than twice as long. Blocked if it may.
 */
async function mustNotEndWithWait(api: Api, accepted: Answer | undefined): Promise<void> {
  const { slowPrompt, quickPrompt } = api.session.target.assistant;
  const durations = () => durationsOf(api.session, slowPrompt);
  const mayHaveEnded = (afterMs: number): boolean => durations().count > 0 && durations().leastMs < 2 * afterMs;
  if (accepted === undefined || !isSuccess(accepted) || mayHaveEnded(accepted.elapsedMs))
    throw new Blocked(unlessRefused(accepted));
  const chat = await givenIdleChat(api);
  const evidence: Answer[] = [];
  let latestMs = 0;
  for (let time = 0; time < timesFreed; time += 1) {
    await makeIdle(api, chat);
    await quiet(api, chat);
    const { answer } = await givenSent(api, chat, slowPrompt, { wait: 1 });
    const next = await send(api, chat, { message: quickPrompt });
    latestMs = Math.max(latestMs, next.exchange.receivedAt - answer.exchange.sentAt);
    if (answer.status !== 202 || !isSuccess(next) || mayHaveEnded(latestMs)) throw new Blocked(unlessRefused(next));
    evidence.push(answer, next);
  }
  for (let more = durations().count; more < leastOthers; more += 1)
    await sendWhenFree(api, chat, { message: slowPrompt, wait: slowPromptWait(api.session) });
  const { count, leastMs } = durations();
  if (count < leastOthers || mayHaveEnded(latestMs)) throw new Blocked(unlessRefused(accepted));
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  throw new Violation(
    '409 while a response is generating',
    `2xx within ${seconds(latestMs)}, each of ${timesFreed} times that wait=1 was answered 202, and ${count} other responses to this text took ${seconds(leastMs)} or more`,
    evidence.map(({ exchange }) => exchange),
  );
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
