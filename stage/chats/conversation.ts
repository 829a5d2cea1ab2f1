import { type Api, as, type Caller, type Options, type Outgoing } from '../../engine/api.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { attempt, beginAttempts } from './chat-attempts.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { stringAt } from '../../core/json.ts';
import { rememberLatest, rememberStuck } from './latest-message.ts';
import {
  firstWait,
  idlePatienceMs,
  mostWait,
  rememberHeld,
  repeatedWait,
  stayedBusy,
} from '../../engine/session/patience.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import { Blocked } from '../../engine/verdict.ts';

/** An accepted message: the request, and the messages that it created. */
export type Sent = {
  readonly chat: Chat;
  /** The sender; undefined stands for the admin of the chat. */
  readonly caller?: Caller | undefined;
  readonly key: string;
  readonly text: string;
  /** In seconds. */
  readonly wait?: number | undefined;
  readonly answer: Answer;
  readonly userMessageId: string;
  readonly assistantMessageId: string;
};

/** What to send. Its key is a fresh one, or the result of `keyOf` for it; null sends no key. */
export type Draft = Partial<Omit<Outgoing, 'key'>> & { readonly keyOf?: (fresh: string) => string | null };

/** The pause before a busy chat is tried again, in milliseconds; it grows by half up to the longest. */
const pauseMs = 100;
const longestPauseMs = 2000;

/** The reason of a check that cannot see a response generating. */
export const tooFast =
  'the assistant is too fast: set assistant.slowPrompt to something that takes it two seconds or more';

/** A chat for this check alone, released when the check ends. It may still be busy: {@link sendWhenFree} waits. */
export async function givenChat(api: Api, wanted?: (chat: Chat) => boolean): Promise<Chat> {
  const chat = await api.session.chats.lease(wanted);
  api.leased.push(chat);
  return chat;
}

/** An idle chat for this check alone, released when the check ends. */
export async function givenIdleChat(api: Api, wanted?: (chat: Chat) => boolean): Promise<Chat> {
  const chat = await givenChat(api, wanted);
  await makeIdle(api, chat);
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

/** Leases a chat only while `use` runs, for fixtures that outlive the check that made them. */
export async function lendChat<Made>(api: Api, use: (chat: Chat) => Promise<Made>): Promise<Made> {
  const chat = await api.session.chats.lease();
  try {
    return await use(chat);
  } finally {
    api.session.chats.release(chat);
  }
}

/** Settles the chat unless it is known to be idle, and starts the record of what this check sees of it. */
export async function makeIdle(api: Api, chat: Chat): Promise<void> {
  if (idleSince(api, chat) === undefined) await settle(api, chat);
  beginAttempts(api, chat, idleSince(api, chat) ?? api.session.clock.now());
}

/** When the chat was seen idle, in milliseconds of the clock. */
function idleSince(api: Api, chat: Chat): number | undefined {
  const standing = api.session.chats.standing(chat);
  return standing.state === 'idle' ? standing.finished.exchange.receivedAt : undefined;
}

/**
 * Waits until the chat accepts a message and its response has finished. Blocked if that cannot be seen. The chat is given
 * up if a response takes longer than assistant.timeoutSeconds.
 */
export async function settle(api: Api, chat: Chat): Promise<void> {
  const { quickPrompt } = api.session.target.assistant;
  for (const longest of [false, true]) {
    const wait = longest ? mostWait(api.session) : firstWait(api.session);
    const answer = await sendWhenFree(api, chat, { message: quickPrompt, wait }, { allRefusals: true });
    if (answer.status === 200) return;
    if (answer.status === 409) throw new Blocked(neverIdle(api, chat));
    if (answer.status !== 202) {
      const reason = `chat ${chat.chatId} accepts no message: ${summary(answer)}`;
      // Other checks judge an unexpected 2xx, and need the chat for it.
      if (!isSuccess(answer)) api.session.chats.giveUp(chat, reason);
      throw new Blocked(reason);
    }
    if (answer.elapsedMs < wait * 1000 - api.session.target.limits.toleranceMs) {
      throw new Blocked(`202 before the ${wait} s of wait were over: nothing shows when the response finishes`);
    }
    if (longest || wait === mostWait(api.session)) {
      api.session.chats.giveUp(chat, neverIdle(api, chat));
      throw new Blocked(neverIdle(api, chat));
    }
  }
}

function neverIdle({ session }: Api, { chatId }: Chat): string {
  const { timeoutSeconds } = session.target.assistant;
  return `chat ${chatId} did not become idle in ${timeoutSeconds} s: raise assistant.timeoutSeconds`;
}

/** Waits until the last response can no longer keep the chat busy. */
export async function quiet(api: Api, chat: Chat): Promise<void> {
  const leftMs = quietAt(api, chat) - api.session.clock.now();
  if (leftMs > 0) await api.session.clock.sleep(leftMs);
}

function quietAt(api: Api, chat: Chat): number {
  return (idleSince(api, chat) ?? Number.NEGATIVE_INFINITY) + api.session.target.limits.toleranceMs;
}

/** Sends to a chat as its admin, or as `caller`, and updates the state of the chat from the answer. */
export async function send(
  api: Api,
  chat: Chat,
  draft: Draft,
  { caller = as(chat.admin), ...options }: Options & { readonly caller?: Caller } = {},
): Promise<Answer> {
  const { keyOf, ...rest } = draft;
  const fresh = api.freshKey();
  const outgoing = { ...rest, key: keyOf === undefined ? fresh : keyOf(fresh) };
  const { chats } = api.session;
  const latest = { chat, caller, key: outgoing.key, text: outgoing.message };
  const named = { key: outgoing.key ?? fresh, wait: outgoing.wait };
  try {
    const answer = await attempt(api, chat, named, () => api.sendMessage(caller, chat, outgoing, options));
    if (isSuccess(answer)) acceptanceIn(api.session).isKnown = true;
    if (answer.status === 200) chats.markFinished(chat, answer);
    else if (answer.status === 409) chats.markBusy(chat);
    else if (isSuccess(answer) || answer.status >= 500) chats.mark(chat, 'unknown');
    rememberWait(api, outgoing, answer);
    rememberLatest(api.session, { ...latest, answer });
    return answer;
  } catch (error) {
    chats.mark(chat, 'unknown');
    rememberLatest(api.session, { ...latest, answer: undefined });
    throw error;
  }
}

function rememberWait({ session }: Api, { message, wait }: Partial<Outgoing>, answer: Answer): void {
  if (typeof wait === 'number' && isSuccess(answer)) rememberHeld(session, message, wait, answer);
}

type Patience = {
  /** When to stop retrying after a 409, in milliseconds of the clock. */
  readonly untilMs?: number;
  /** Whether to retry after any 4xx and 503 too, once the deployment has accepted a message. */
  readonly allRefusals?: boolean;
};

/**
 * The first answer other than 409, with a new key for each try. An idle chat may be busy only for the tolerance after its
 * last response, any other chat for assistant.timeoutSeconds; after that, the last 409 is the answer.
 */
export async function sendWhenFree(
  api: Api,
  chat: Chat,
  draft: Draft,
  { untilMs, allRefusals = false }: Patience = {},
): Promise<Answer> {
  const { clock, chats } = api.session;
  const isIdle = chats.standing(chat).state === 'idle';
  const giveUpAt = untilMs ?? (isIdle ? quietAt(api, chat) : clock.now() + idlePatienceMs(api.session, chat));
  for (let pause = pauseMs; ; pause = Math.min(longestPauseMs, pause * 1.5)) {
    const answer = await send(api, chat, draft);
    const isRefused = (answer.status >= 400 && answer.status < 500) || answer.status === 503;
    const waitsOut = answer.status === 409 || (isRefused && allRefusals && acceptanceIn(api.session).isKnown);
    if (!waitsOut) return answer;
    if (answer.exchange.sentAt >= giveUpAt) {
      if (!isIdle && untilMs === undefined) {
        chats.giveUp(chat, neverIdle(api, chat), answer);
        rememberStuck(api.session, chat, answer);
        stayedBusy(api.session, chat);
      }
      return answer;
    }
    const leftMs = giveUpAt - clock.now();
    await clock.sleep(leftMs > 0 ? Math.min(pause, leftMs) : 0);
  }
}

/** Whether a message was accepted. */
const acceptanceIn = perRun(() => ({ isKnown: false }));

/** The same request once more: the key of a message, with its text and wait unless `outgoing` replaces them. */
export async function sendAgain(
  api: Api,
  { chat, key, text, wait, caller = as(chat.admin) }: Pick<Sent, 'chat' | 'key' | 'text' | 'wait' | 'caller'>,
  outgoing: Partial<Outgoing> = {},
  options: Options = {},
): Promise<Answer> {
  const usual = wait === undefined ? undefined : repeatedWait(api.session, text, wait);
  const again = { message: text, wait: usual, ...outgoing, key };
  const answer = await attempt(api, chat, again, () => api.sendMessage(caller, chat, again, options));
  rememberWait(api, again, answer);
  // It should change nothing. If it creates a message anyway, the chat may be busy for other checks.
  if (isSuccess(answer) || answer.status >= 500) api.session.chats.mark(chat, 'unknown');
  return answer;
}

/** An accepted message. Blocked if it is refused, or if its messages have no IDs. */
export async function givenSent(api: Api, chat: Chat, text: string, draft: Draft = {}): Promise<Sent> {
  let key = '';
  const keyOf = (fresh: string) => {
    const made = draft.keyOf === undefined ? fresh : draft.keyOf(fresh);
    key = made ?? '';
    return made;
  };
  const answer = await sendWhenFree(api, chat, { ...draft, message: text, keyOf });
  return readSent(chat, key, text, answer);
}

/** An accepted message whose response has finished. Its answer is 200 unless the response took longer than any wait. */
export async function givenFinished(
  api: Api,
  chat: Chat,
  draft: Draft & { readonly text?: string } = {},
): Promise<Sent> {
  const { text = api.session.target.assistant.quickPrompt, ...rest } = draft;
  const wait = firstWait(api.session);
  const sent = await givenSent(api, chat, text, { wait, ...rest });
  if (sent.answer.status === 200) return sent;
  await settle(api, chat);
  return wait < firstWait(api.session) ? givenFinished(api, chat, draft) : sent;
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
