import { type Api } from '../../engine/api.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { beginAttempts } from './chat-attempts.ts';
import { giveUpFailed } from './failed-chats.ts';
import { isOwnInternalError } from '../../engine/session/errors/internal-errors.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { stringAt } from '../../core/json.ts';
import { latestIn } from './latest-message.ts';
import { mayLoseResponses } from './lost-responses.ts';
import { declaredMaximumWait, quickPromptWait, slowPromptWait } from '../../engine/session/waits/choose-wait.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import {
  type Draft,
  type Patience,
  type Sent,
  idleSince,
  neverIdle,
  quiet,
  sendAgain,
  sendWhenFree,
} from './sending.ts';
import { unlessBlocked } from '../lists/snapshot.ts';
import { Blocked } from '../../engine/verdict.ts';

/** The reason of a check that cannot see a response generating. */
export const tooFast =
  'the response ended too soon: set assistant.slowPrompt to something that takes two seconds or more, or longer if a rate limit or a busy machine delays requests';

/** The reason of a check that needs a refused message, where the message was accepted. */
const notRefused =
  'the chat accepted a message where one should still be generating: if conflict.refused fails, repair that first; otherwise the response ended too soon, so set assistant.slowPrompt to something that takes two seconds or more';

/** Why a check that needs a message refused with 409 cannot judge, if it was answered like this. */
export function unlessRefused(answer: Answer | undefined): string {
  if (answer === undefined) return tooFast;
  return isSuccess(answer) ? notRefused : `a message to a busy chat was answered ${summary(answer)} instead of 409`;
}

/** A chat for this check alone, released when the check ends. It may still be busy: {@link sendWhenFree} waits. */
export async function givenChat(api: Api, wanted?: (chat: Chat) => boolean): Promise<Chat> {
  const chat = await api.session.chats.lease(wanted);
  api.leased.push(chat);
  return chat;
}

/**
 * An idle chat for this check alone, released when the check ends. A chat that does not become idle is released at once: the check
 * may look for another one, and would wait for itself.
 */
export async function givenIdleChat(api: Api, wanted?: (chat: Chat) => boolean): Promise<Chat> {
  const chat = await givenChat(api, wanted);
  try {
    await makeIdle(api, chat);
  } catch (error) {
    giveBack(api, chat);
    throw error;
  }
  return chat;
}

/** Two chats, leased together so that two checks never wait for each other. They may still be busy. */
export async function givenPair(
  api: Api,
  wanted: (first: Chat, second: Chat) => boolean,
): Promise<readonly [Chat, Chat]> {
  const pair = await api.session.chats.leasePair(wanted);
  api.leased.push(...pair);
  return pair;
}

/** Several chats, leased together: up to `most` of one organization and one of another, or two of any. They may still be busy. */
export async function givenGroup(api: Api, most: number): Promise<readonly Chat[]> {
  const group = await api.session.chats.leaseGroup(most);
  if (group === undefined) return givenPair(api, pairOf(api));
  api.leased.push(...group);
  return group;
}

/** Which pairs to take: two chats of one organization, if there are any. */
export function pairOf({ session }: Api): (one: Chat, other: Chat) => boolean {
  const { all } = session.chats;
  const together = (one: Chat, other: Chat) => one.organizationId === other.organizationId;
  return all.some((one) => all.some((other) => one !== other && together(one, other))) ? together : () => true;
}

/** Releases a chat before the check ends. */
export function giveBack(api: Api, chat: Chat): void {
  api.leased.splice(api.leased.indexOf(chat), 1);
  api.session.chats.release(chat);
}

/** Leases a chat only while `use` runs, for fixtures that outlive the check that made them. */
export async function lendChat<Made>(api: Api, use: (chat: Chat) => Promise<Made>): Promise<Made> {
  const chat = await givenChat(api);
  try {
    return await use(chat);
  } finally {
    giveBack(api, chat);
  }
}

/** Settles the chat unless it is known to be idle, and starts the record of what this check sees of it. */
export async function makeIdle(api: Api, chat: Chat): Promise<void> {
  if (idleSince(api, chat) === undefined) await settle(api, chat);
  beginAttempts(api, chat, idleSince(api, chat) ?? api.session.clock.now());
}

/**
 * Waits until the chat accepts a message and its response has finished. Blocked if that cannot be seen. The chat is given
 * up if a response takes longer than any may, by what this run saw.
 */
export async function settle(api: Api, chat: Chat): Promise<void> {
  // A refused message may still be answered later, and only a new message shows that. A repetition never shows a lost response as finished.
  const mayShow = latestIn(api.session, chat)?.hasRefused === false && !mayLoseResponses(api.session);
  if (mayShow && (await isShownFinished(api, chat))) return;
  const { quickPrompt } = api.session.target.assistant;
  const startedAt = api.session.clock.now();
  for (const longest of [false, true]) {
    const wait = longest ? declaredMaximumWait(api.session) : quickPromptWait(api.session);
    const answer = await sendWhenFree(api, chat, { message: quickPrompt, wait }, { allRefusals: true });
    if (answer.status === 200) return;
    if (answer.status === 409) throw new Blocked(neverIdle(api, chat, startedAt));
    if (answer.status !== 202) {
      const reason = `chat ${chat.chatId} accepts no message: ${summary(answer)}`;
      // Other checks judge an unexpected 2xx, and need the chat for it.
      if (isOwnInternalError(answer)) giveUpFailed(api.session, chat, reason);
      else if (!isSuccess(answer)) api.session.chats.giveUp(chat, reason);
      throw new Blocked(reason);
    }
    if (answer.elapsedMs < wait * 1000 - api.session.target.limits.toleranceMs) {
      throw new Blocked(
        `a message with wait=${wait} got 202 early, so the suite cannot see when a response finishes; wait.holds and messages.accepted-is-generating judge that`,
      );
    }
    if (longest || wait === declaredMaximumWait(api.session)) {
      api.session.chats.giveUp(chat, neverIdle(api, chat, startedAt));
      throw new Blocked(neverIdle(api, chat, startedAt));
    }
  }
}

/** Whether repetitions show the current state: some deployments return the original answer. */
const repetitionsIn = perRun(() => ({ mayShowState: true }));

/** Repeats the latest message of the chat until its response has finished, which costs no new message. False if that is not seen. */
export async function isShownFinished(api: Api, chat: Chat): Promise<boolean> {
  const { session } = api;
  const latest = latestIn(session, chat);
  const repetitions = repetitionsIn(session);
  if (latest === undefined || !repetitions.mayShowState) return false;
  const wait = latest.text === session.target.assistant.slowPrompt ? slowPromptWait(session) : quickPromptWait(session);
  const { status, elapsedMs } = await sendAgain(api, { ...latest, wait }, { wait });
  const isHeld = elapsedMs >= wait * 1000 - session.target.limits.toleranceMs;
  if (status !== 200 && !isHeld) repetitions.mayShowState = false;
  return session.chats.standing(chat).state === 'idle';
}

/** An accepted message. Blocked if it is refused, or if its messages have no IDs. */
export async function givenSent(
  api: Api,
  chat: Chat,
  text: string,
  draft: Draft = {},
  patience: Patience = {},
): Promise<Sent> {
  let key = '';
  const keyOf = (fresh: string) => {
    const made = draft.keyOf === undefined ? fresh : draft.keyOf(fresh);
    key = made ?? '';
    return made;
  };
  const answer = await sendWhenFree(api, chat, { ...draft, message: text, keyOf }, patience);
  return readSent(chat, key, text, answer);
}

/** An accepted message, the first one of this run in its chat if such a chat is left. The chat was idle. */
export async function givenFirstSent(api: Api, text: string, draft: Draft): Promise<Sent> {
  const { chats, clock } = api.session;
  const kept = chats.kept();
  const chat = await givenChat(api, kept === undefined ? undefined : (one) => one === kept);
  if (chats.kept() === chat) {
    beginAttempts(api, chat, clock.now());
    const first = await unlessBlocked(() => givenSent(api, chat, text, draft, { untilMs: clock.now() }));
    if (first !== undefined) return first;
  }
  await makeIdle(api, chat);
  await quiet(api, chat);
  return givenSent(api, chat, text, draft);
}

/** An accepted message whose response has finished. Its answer is 200 unless the response took longer than any wait. */
export async function givenFinished(
  api: Api,
  chat: Chat,
  draft: Draft & { readonly text?: string } = {},
): Promise<Sent> {
  const { text = api.session.target.assistant.quickPrompt, ...rest } = draft;
  const wait = quickPromptWait(api.session);
  const sent = await givenSent(api, chat, text, { wait, ...rest });
  if (sent.answer.status === 200) return sent;
  await settle(api, chat);
  return wait < quickPromptWait(api.session) ? givenFinished(api, chat, draft) : sent;
}

/** The messages of an answer. Blocked if it holds none: messages.envelope judges that. */
export function readSent(chat: Chat, key: string, text: string, answer: Answer): Sent {
  const userMessageId = stringAt(answer.json, 'data', 'userMessage', 'id');
  const assistantMessageId = stringAt(answer.json, 'data', 'assistantMessage', 'id');
  if (!isSuccess(answer) || userMessageId === undefined || assistantMessageId === undefined) {
    throw new Blocked(
      `a message to chat ${chat.chatId} gave no messages with IDs: ${answer.problem ?? summary(answer)}`,
    );
  }
  const [, wait] = /[?&]wait=(\d+)/.exec(answer.exchange.request.path) ?? [];
  const asked = wait === undefined ? undefined : Number(wait);
  return { chat, key, text, wait: asked, answer, userMessageId, assistantMessageId };
}

/** A message to an idle chat whose response is still generating. Blocked if the assistant answers at once. */
export async function givenGenerating(api: Api, chat: Chat, draft: Draft = {}): Promise<Sent> {
  const sent = await givenSent(api, chat, api.session.target.assistant.slowPrompt, draft);
  if (sent.answer.status === 200) throw new Blocked(tooFast);
  return sent;
}
