import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { waitHolds } from '../../promises/message-requests.ts';
import { mustKeep } from '../shared/must-keep.ts';
import { givenChat, lendChat, makeIdle, tooFast } from '../../stage/chats/conversation.ts';
import { loseTrack, quiet, send, sendWhenFree } from '../../stage/chats/sending.ts';
import { givenPace } from '../../stage/chats/pace.ts';
import { shared } from '../../engine/fixture.ts';
import { heldForMs, lostForMs } from '../../engine/session/held-requests.ts';
import { isHeldInFull, slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { TransportError } from '../../core/http.ts';
import { Blocked, Late, Violation } from '../../engine/verdict.ts';
import { givenAfterWait, shortSeconds } from './after-wait.ts';
import { acceptedUnusual, mostFullSeconds, type Unusual } from './unusual-messages.ts';

/** The message that measured the pace was held as long as this one; only where it shows a violation another one decides. */
export async function mustHoldLong(api: Api): Promise<void> {
  const { answer } = await givenPace(api);
  if (!isHeld(api, answer)) await mustHoldSlow(api, slowPromptWait(api.session));
}

/** The same for a shorter wait. */
export async function mustHoldShort(api: Api): Promise<void> {
  const seen = await givenAfterWait(api);
  if (!isHeld(api, seen?.first)) await mustHoldSlow(api, shortSeconds(api));
}

/** Whether the answer to a slow message shows that the request was held. */
function isHeld({ session }: Api, answer: Answer | undefined): boolean {
  const { toleranceMs } = session.target.limits;
  // A repetition may be held only for the rest of the response.
  if (answer === undefined || answer.exchange.repeats === true) return false;
  if (!isSuccess(answer) || typeof waitHolds.judge({ answer, toleranceMs }) === 'object') return false;
  return answer.status === 202 || answer.elapsedMs >= toleranceMs;
}

/** A message with the shortest wait, sent once in a run: the valid counterpart of those with a wrong wait. */
export const givenShortestWait = shared(async (api: Api): Promise<Pick<Unusual, 'chat' | 'answer'>> => {
  const [unusual] = (await acceptedUnusual(api, 'wait=1')) ?? [];
  if (unusual !== undefined) return unusual;
  return lendChat(api, async (chat) => {
    const { quickPrompt } = api.session.target.assistant;
    return { chat, answer: await sendWhenFree(api, chat, { message: quickPrompt, wait: 1 }) };
  });
});

export async function givenWaitAccepted(api: Api): Promise<void> {
  const { answer } = await givenShortestWait(api);
  if (!isSuccess(answer)) throw new Blocked(`a valid message is refused as well: ${summary(answer)}`);
}

export async function mustHoldSlow(api: Api, wait: number): Promise<void> {
  const chat = await givenChat(api);
  const { assistant, limits } = api.session.target;
  const held = { message: assistant.slowPrompt, wait };
  const answer = await sendWhenFree(api, chat, held);
  if (!isSuccess(answer)) await mustNotEndHeld(api, chat, held, answer);
  const isShown = mustHold(api, answer);
  if (answer.status === 202 && !isShown) throw new Blocked(`the first answer to a message with wait=${wait} was lost`);
  if (answer.status === 200 && answer.elapsedMs < limits.toleranceMs) throw new Blocked(tooFast);
}

/** Whether the answer shows that the request was held. */
export function mustHold(api: Api, answer: Answer): boolean {
  return mustKeep(waitHolds, { answer, toleranceMs: api.session.target.limits.toleranceMs }, answer);
}

export async function mustAcceptLongestWait(api: Api): Promise<void> {
  const unusual = await acceptedUnusual(api, 'wait=300');
  if (unusual !== undefined) return unusual.forEach(({ answer }) => mustHold(api, answer));
  const held = { message: api.session.target.assistant.quickPrompt, wait: 300 };
  const chat = await givenChat(api);
  if (isHeldInFull(api.session)) return mustNotRefuse(api, chat, held);
  const answer = await acceptedOrHeld(api, chat, held, () => sendWhenFree(api, chat, held));
  if (answer !== undefined) mustHold(api, answer);
}

/** Leaves before the end of a wait that would be held in full. */
async function mustNotRefuse(api: Api, chat: Chat, held: Held): Promise<void> {
  await makeIdle(api, chat);
  await quiet(api, chat);
  const leaving = { ...held, leavesAfterMs: 1000 * mostFullSeconds };
  await acceptedOrHeld(api, chat, held, () => send(api, chat, leaving, { judged: false }));
}

/** The answer to the message, which accepts it; undefined if it was held until the client left, because a refusal comes earlier. */
async function acceptedOrHeld(
  api: Api,
  chat: Chat,
  held: Held,
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    const answer = await ask();
    return isSuccess(answer) ? answer : await mustBeTheWait(api, chat, held, answer);
  } catch (error) {
    if (!(error instanceof TransportError) || error.failure !== 'timeout') throw error;
    api.session.chats.giveUp(chat, `chat ${chat.chatId} may be busy until a wait of ${held.wait} s is over`);
    return undefined;
  }
}

type Held = { readonly message: string; readonly wait: number };

/** From this many milliseconds on, a request was held before it was refused. */
const heldMs = 900;

/** An immediate refusal is about the wait; a later one means that the request waited and then failed. */
export function mustNotEndHeld(api: Api, chat: Chat, held: Held, answer: Answer): Promise<never> {
  if (answer.elapsedMs >= heldMs) return mustBeTheWait(api, chat, held, answer);
  throw new Blocked(`a slow message with wait=${held.wait} was answered ${summary(answer)}`);
}

/** The message is accepted without wait, so wait was the reason for the refusal. */
export async function mustBeTheWait(api: Api, chat: Chat, { message, wait }: Held, answer: Answer): Promise<never> {
  if (answer.status === 409) throw new Blocked(`the chat is busy: wait=${wait} was answered 409`);
  // Its response may be generating nevertheless.
  if (answer.elapsedMs >= heldMs) loseTrack(api, chat);
  const twin = await sendWhenFree(api, chat, { message });
  if (!isSuccess(twin)) throw new Blocked(`the chat accepts no message without wait either: ${summary(twin)}`);
  const actual = `${summary(answer)} after ${ms(answer.elapsedMs)}`;
  throw new Violation(`2xx with wait=${wait}`, actual, [twin.exchange, answer.exchange]);
}

export function ms(duration: number): string {
  return `${Math.round(duration)} ms`;
}

/** How often it is waited for that no request is held. */
const timesAwaited = 5;

/** Held requests of this run may keep every worker of a small pool, also if the client left: what was late is tried again after them. */
export async function untilNoneIsHeld({ session, attempt }: Api): Promise<void> {
  for (let times = 0; attempt > 1 && times < timesAwaited; times += 1) {
    const heldMs = Math.max(heldForMs(session), lostForMs(session));
    if (heldMs === 0) return;
    await session.clock.sleep(heldMs);
  }
}

/** A late answer counts only if it is late each time. `evidence` shows it. */
export function mustNotBeLate(
  isInTime: boolean,
  promised: string,
  { elapsedMs }: Answer,
  evidence: readonly Answer[],
): void {
  const exchanges = evidence.map(({ exchange }) => exchange);
  if (!isInTime) throw new Late(promised, ms(elapsedMs), exchanges);
}
