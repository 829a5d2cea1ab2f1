import { must } from '../../engine/answer.ts';
import { type Answer, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { givenChat, isShownFinished } from '../../stage/chats/conversation.ts';
import { quiet, send, sendAgain, sendWhenFree } from '../../stage/chats/sending.ts';
import { givenAccepted } from '../../stage/chats/message-sample.ts';
import { idlePatienceMs } from '../../engine/session/waits/patience.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { durationsOf, type Latest, leftIn, stuckIn } from '../../stage/chats/latest-message.ts';
import { isLong, type RefusedIdle, refusedIdleIn } from '../../stage/chats/next-messages.ts';
import { mustEndElsewhere } from './stuck-text.ts';

/** A response is stuck once it takes this many times as long as the slowest of several other responses to its text. */
const timesLonger = 10;
/** What is still waited for that, in milliseconds. */
const mostWaitMs = 30_000;
/** How many of these other responses must have finished. */
const leastFinished = 3;

/**
 * A chat that was given up while it answered 409 must have a response that is generating. Its last message is repeated: if the
 * chat still refuses the next one, it must not be finished, and not be in progress for far longer than the same text elsewhere; a text that
 * was not sent elsewhere is sent there now. A chat whose last message lost its client is tried in the same way. An idle chat that refused
 * messages for long is tried again. Blocked if the run sent no message at all.
 */
export async function mustNotStayBusy(api: Api): Promise<void> {
  // Once for each chat, because the next message makes it busy.
  const tried = [...leftIn(api.session).map((latest) => ({ latest })), ...stuckIn(api.session)];
  const latestOf = new Map(tried.map((one) => [one.latest.chat, one]));
  for (const one of latestOf.values()) await mustBeGenerating(api, one);
  await tryLongAgain(api);
  mustNotRefuseIdle(sureOf(api));
  await givenAccepted(api);
}

/** A single 409 may be due to a message of another client that left no trace. */
const fewRefusals = 1;

/** No idle chat may refuse the next message now and then, as one whose lock another node still sees. */
function mustNotRefuseIdle(seen: readonly RefusedIdle[]): void {
  const evidence = seen
    .slice(0, fewRefusals + 1)
    .flatMap(({ finished, refused, accepted }) => [finished, refused, accepted]);
  const actual = `409 ${seen.length} times, although no other message came between that response and the next one accepted`;
  must(seen.length <= fewRefusals, 'the next message accepted after a finished response', actual, ...evidence);
}

/** The cases that are not about a key. */
function sureOf({ session }: Api): readonly RefusedIdle[] {
  return refusedIdleIn(session).filter(({ isFresh }) => isFresh);
}

/** Tries the chat that refused messages for the longest again, as long as it does so each time, until its cases are enough. */
async function tryLongAgain(api: Api): Promise<void> {
  const [longest] = refusedIdleIn(api.session).toSorted((one, other) => other.lastedMs - one.lastedMs);
  if (longest === undefined || !isLong(api.session, longest)) return;
  // A chat that was given up is lent to no check.
  await unlessBlocked(() => givenChat(api, (chat) => chat === longest.chat));
  for (let count = sureOf(api).length; count <= fewRefusals; count += 1) {
    await sendLikeBefore(api, longest);
    if (sureOf(api).length <= count) return;
  }
}

/** How much longer than the first time a chat may refuse messages, in milliseconds. */
const moreMs = 5000;

/** Sends a message like the one whose response had finished, and then the next one until the chat accepts it. */
async function sendLikeBefore(api: Api, { chat, before, lastedMs }: RefusedIdle): Promise<void> {
  const { clock, target } = api.session;
  const again = await sendWhenFree(api, chat, before ?? { message: target.assistant.quickPrompt });
  if (again.status !== 200 && !(await isShownFinished(api, chat))) return;
  await quiet(api, chat);
  const next = { message: target.assistant.quickPrompt };
  await sendWhenFree(api, chat, next, { untilMs: clock.now() + lastedMs + moreMs });
}

/** Sends the next message until the chat accepts it, for as long as a response may take. */
function sendWhileBusy(api: Api, chat: Chat): Promise<Answer> {
  const { session } = api;
  const untilMs = session.clock.now() + idlePatienceMs(session, chat);
  return sendWhenFree(api, chat, { message: session.target.assistant.quickPrompt }, { untilMs });
}

async function mustBeGenerating(
  api: Api,
  { latest, refused }: { readonly latest: Latest; readonly refused?: Answer },
): Promise<void> {
  const { chat, key, text, caller, answer } = latest;
  const { clock, target } = api.session;
  const again = await sendAgain(api, { chat, key, text, caller, wait: undefined });
  const evidence = [answer, refused, again].filter((one) => one !== undefined);
  const isFinished = again.status === 200;
  if (!isFinished && again.status !== 202) return;
  if (isFinished) await clock.sleep(target.limits.toleranceMs);
  const trySoon = () => send(api, chat, { message: target.assistant.quickPrompt });
  const next = await trySoon();
  // The response may just have been slow, and a repetition may show the first answer for good.
  if (next.status !== 409) return;
  if (isFinished) {
    // No check waited for a chat that was left, so the response to a message of another client may be generating.
    const last = refused === undefined ? await sendWhileBusy(api, chat) : next;
    const actual = `still ${summary(last)}`;
    must(last.status !== 409, 'the next message accepted after a finished response', actual, ...evidence, last);
    return;
  }
  const { count, mostMs } = durationsOf(api.session, text);
  if (count < leastFinished) {
    await unlessBlocked(() => mustEndElsewhere(api, latest, evidence));
    return;
  }
  const leftMs = latest.sentAt + timesLonger * mostMs - clock.now();
  if (leftMs > mostWaitMs) return;
  await clock.sleep(Math.max(0, leftMs));
  const last = leftMs > 0 ? await trySoon() : next;
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  must(
    last.status !== 409,
    `a response that ends, as ${count} others to the same text did within ${seconds(mostMs)}`,
    `409 and 202 still after ${seconds(last.exchange.receivedAt - latest.sentAt)}`,
    ...evidence,
    last,
  );
}
