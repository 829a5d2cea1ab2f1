import { type Api, as, type Outgoing, keyHeaders } from './api.ts';
import { summary } from './answer.ts';
import type { Chat } from './chat-pool.ts';
import { type Answer, isSuccess } from './exchange.ts';
import { shared } from './fixture.ts';
import { stringAt } from './json.ts';
import { Blocked } from './verdict.ts';

/** An accepted message: what was sent, and the messages that it made. */
export type Sent = {
  readonly chat: Chat;
  readonly key: string;
  readonly text: string;
  readonly answer: Answer;
  readonly userMessageId: string;
  readonly assistantMessageId: string;
};

/** How long to wait before asking again whether a chat is idle, in milliseconds; doubled up to the second. */
const pollMs = 100;
const longestPollMs = 2000;

/** A chat for this check alone, idle. Given back when the check ends. */
export async function givenIdleChat(api: Api, wanted?: (chat: Chat) => boolean): Promise<Chat> {
  const chat = await api.session.chats.lease(wanted);
  api.leased.push(chat);
  if (api.session.chats.state(chat) === 'unknown') await settle(api, chat);
  return chat;
}

/** Waits until the chat accepts a message and its response has finished. Blocked after assistant.timeoutSeconds. */
export async function settle(api: Api, chat: Chat): Promise<void> {
  const { clock, target, chats } = api.session;
  const { quickPrompt, timeoutSeconds } = target.assistant;
  const giveUpAt = clock.now() + timeoutSeconds * 1000;
  let pause = pollMs;
  for (;;) {
    const leftSeconds = Math.ceil((giveUpAt - clock.now()) / 1000);
    const wait = Math.min(300, Math.max(1, leftSeconds));
    const answer = await api.sendMessage(as(chat.admin), chat, { message: quickPrompt, wait, key: api.freshKey() });
    if (answer.status === 200) {
      chats.mark(chat, 'idle');
      return;
    }
    if (answer.status !== 202 && answer.status !== 409) {
      throw new Blocked(`chat ${chat.chatId} takes no message: ${summary(answer)}`);
    }
    if (clock.now() >= giveUpAt) {
      throw new Blocked(
        `chat ${chat.chatId} did not become idle in ${timeoutSeconds} s: raise assistant.timeoutSeconds`,
      );
    }
    await clock.sleep(pause);
    pause = Math.min(longestPollMs, pause * 2);
  }
}

/** Sends to a chat as its admin, and remembers that the chat may be busy afterwards. */
export async function send(
  api: Api,
  chat: Chat,
  outgoing: Partial<Outgoing> & { readonly message?: unknown },
): Promise<Answer> {
  const answer = await api.sendMessage(as(chat.admin), chat, { key: api.freshKey(), ...outgoing });
  if (answer.status !== 200) api.session.chats.mark(chat, 'unknown');
  return answer;
}

/** An accepted message. Blocked when it is refused, or when its messages have no IDs. */
export async function givenSent(api: Api, chat: Chat, text: string, outgoing: Partial<Outgoing> = {}): Promise<Sent> {
  const key = outgoing.key ?? api.freshKey();
  const answer = await send(api, chat, { ...outgoing, message: text, key });
  return readSent(chat, key, text, answer);
}

/** The messages of an answer. Blocked when it is none: messages.envelope judges that. */
export function readSent(chat: Chat, key: string, text: string, answer: Answer): Sent {
  const userMessageId = stringAt(answer.json, 'data', 'userMessage', 'id');
  const assistantMessageId = stringAt(answer.json, 'data', 'assistantMessage', 'id');
  if (!isSuccess(answer) || userMessageId === undefined || assistantMessageId === undefined) {
    throw new Blocked(
      `a message to chat ${chat.chatId} gave no messages with IDs: ${answer.problem ?? summary(answer)}`,
    );
  }
  return { chat, key, text, answer, userMessageId, assistantMessageId };
}

/** A chat whose response is still generating. Blocked when the assistant answers at once. */
export async function givenGenerating(api: Api, wanted?: (chat: Chat) => boolean): Promise<Sent> {
  const chat = await givenIdleChat(api, wanted);
  const sent = await givenSent(api, chat, api.session.target.assistant.slowPrompt);
  if (sent.answer.status === 200) {
    throw new Blocked('the assistant answered at once: set assistant.slowPrompt to something that takes it seconds');
  }
  return sent;
}

/** That an idempotency header is known. Blocked when none is declared and no usual name works. */
export const givenKeyHeader = shared(async (api: Api): Promise<string> => {
  const [declared, ...more] = keyHeaders(api.session);
  if (declared !== undefined && more.length === 0) return declared;
  const chat = await givenIdleChat(api);
  const text = api.session.target.assistant.quickPrompt;
  const first = await givenSent(api, chat, text, { wait: 60 });
  const second = await givenSent(api, chat, text, { wait: 60, key: first.key });
  if (second.userMessageId === first.userMessageId) return keyHeaders(api.session).join(', ');
  throw new Blocked('no usual idempotency header works: declare its name as choices.idempotencyHeader');
});
