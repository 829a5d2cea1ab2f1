import { type Answer, isSuccess } from '../../core/exchange.ts';
import { TransportError } from '../../core/http.ts';
import { type Api, as } from '../../engine/api.ts';
import { during } from '../../engine/at-once.ts';
import { shared } from '../../engine/fixture.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { heldForMs } from '../../engine/session/held-requests.ts';
import { quickPromptWait, slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import type { Violation } from '../../engine/verdict.ts';
import { beginAttempts, inexplicableIn } from '../../stage/chats/chat-attempts.ts';
import { giveBack, givenPair, makeIdle, pairOf, readSent, settle } from '../../stage/chats/conversation.ts';
import { followToEnd, givenPace, type Pace } from '../../stage/chats/pace.ts';
import { loseTrack, quiet, type Sent, send, sendAgain } from '../../stage/chats/sending.ts';
import { keyholder, requestAt, unknownPlace } from '../shared/place.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';

/** How long an answer may take beyond its `wait`, in milliseconds. */
const patienceAfterMs = 10_000;

/** How long the answer to a message with that `wait` is waited for, in milliseconds, where a late one is a violation. */
export function leavesAfterMs({ session }: Api, seconds: number): number {
  return 1000 * seconds + patienceAfterMs + heldForMs(session);
}

/** The second message is sent this much later than the first, in milliseconds. */
const secondMs = 100;

/** A `wait` that is longer than the tolerance and than the shortest one, in seconds. */
export function shortSeconds({ session }: Api): number {
  return Math.ceil(session.target.limits.toleranceMs / 1000) + 2;
}

/** Two slow messages with `wait` in two chats, the second while the first is held, and what followed the second. */
export type AfterWait = {
  /** The first, whose wait is the longer one, and its chat: if requests wait one after the other, the second is late. */
  readonly first: Answer;
  readonly chat: Chat;
  /** The second, with `wait=1`: the first message of this run in its chat if such a chat is left. */
  readonly second: Sent;
  /** Another message right after that, and the second once more without `wait`; undefined if its response had finished. */
  readonly next: Answer | undefined;
  readonly again: Answer | undefined;
  /** What shows that the second chat had two responses at a time. */
  readonly violation: Violation | undefined;
  /** The answer that showed the response to the second finished, and that to the first message after it. */
  readonly finished: Answer;
  readonly free: Answer;
};

/** The second message, and another one right after it. */
type Followed = Pick<AfterWait, 'second' | 'next'>;

/**
 * What is seen once in a run of requests whose `wait` ends before the response. Undefined if a message was refused. A check for
 * which it shows a violation sends messages of its own. It leases two chats, so call it before leasing one.
 */
export async function givenAfterWait(api: Api): Promise<AfterWait | undefined> {
  const seen = await unlessBlocked(() => outlast(api));
  if (seen instanceof TransportError) throw seen;
  return seen;
}

/** The same; undefined if a message got no answer, for a check that needs no wait or that judges this. */
export async function seenAfterWait(api: Api): Promise<AfterWait | undefined> {
  try {
    return await givenAfterWait(api);
  } catch (error) {
    if (error instanceof TransportError) return undefined;
    throw error;
  }
}

const outlast = shared(async (api: Api): Promise<AfterWait | TransportError | undefined> => {
  const pace = await givenPace(api);
  if (pace.answer === undefined) return undefined;
  const pair = await givenPair(api, isWanted(api));
  try {
    const seen = await sendBoth(api, pair, pace);
    // A 200 before the end of the response leaves a chat that is not as idle as it seems.
    if (seen === undefined || !isSuccess(seen.free)) for (const chat of pair) loseTrack(api, chat);
    return seen;
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    await showAnswering(api);
    return error;
  } finally {
    for (const chat of pair) giveBack(api, chat);
  }
});

/** Shows that the deployment answers, so that the next message is sent although the ones before it got no answer. */
export async function showAnswering(api: Api): Promise<void> {
  await requestAt(api, 'sendMessage', as(keyholder(api)), unknownPlace(api), { regardless: true });
}

async function sendBoth(api: Api, [one, other]: readonly [Chat, Chat], pace: Pace): Promise<AfterWait | undefined> {
  // A chat without a message may be made idle by that alone.
  const isFirst = api.session.chats.kept() === other;
  if (isFirst) beginAttempts(api, other, api.session.clock.now());
  for (const chat of isFirst ? [one] : [one, other]) {
    await makeIdle(api, chat);
    await quiet(api, chat);
  }
  const { slowPrompt: message, quickPrompt } = api.session.target.assistant;
  const key = api.freshKey();
  // The next message follows at once: the response may end while the first request is still held.
  const sendSecond = async (): Promise<Followed | undefined> => {
    await api.session.clock.sleep(secondMs);
    const answer = await send(api, other, {
      message,
      wait: 1,
      keyOf: () => key,
      leavesAfterMs: leavesAfterMs(api, 1),
    });
    if (!isSuccess(answer)) return undefined;
    const second = readSent(other, key, message, answer);
    const next = answer.status === 200 ? undefined : await send(api, other, { message: quickPrompt });
    if (next !== undefined && isSuccess(next)) await followToEnd(api, [second], pace);
    return { second, next };
  };
  const longer = shortSeconds(api);
  const sendFirst = () => send(api, one, { message, wait: longer, leavesAfterMs: leavesAfterMs(api, longer) });
  const [first, followed] = await during(sendFirst(), sendSecond());
  if (!isSuccess(first) || followed === undefined) return undefined;
  const { second, next } = followed;
  const isOver = second.answer.status === 200;
  const again = isOver ? undefined : await sendAgain(api, second, { wait: undefined });
  const finished = isOver ? second.answer : await sendAgain(api, second, { wait: slowPromptWait(api.session) });
  const violation = inexplicableIn(api, other);
  await api.session.clock.sleep(api.session.target.limits.toleranceMs);
  const free = await send(api, other, { message: quickPrompt, wait: quickPromptWait(api.session) });
  // The next check of this chat needs it idle anyway. Here, a response that the second message ended is seen.
  await unlessBlocked(() => settle(api, one));
  return { first, chat: one, second, next, again, violation, finished, free };
}

/** Two chats of one organization if there are any, the second without a message if there is one. */
function isWanted(api: Api): (one: Chat, other: Chat) => boolean {
  const kept = api.session.chats.kept();
  if (kept === undefined) return pairOf(api);
  const hasSibling = api.session.chats.all.some((one) => one !== kept && one.organizationId === kept.organizationId);
  return (one, other) => other === kept && (!hasSibling || one.organizationId === kept.organizationId);
}
