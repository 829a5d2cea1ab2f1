import type { Answer } from '../../core/exchange.ts';
import { stringAt } from '../../core/json.ts';
import type { Session } from './session.ts';

/** The chats in which this run saw each message, by the message's ID: an ID may be unique within a chat only. */
const chatsByMessage = new WeakMap<Session, Map<string, Set<string>>>();

/** Remembers the messages that an answer from a chat shows. */
export function noteMessages(session: Session, chatId: string, answer: Answer): void {
  const known = chatsByMessage.get(session) ?? new Map<string, Set<string>>();
  chatsByMessage.set(session, known);
  for (const role of ['userMessage', 'assistantMessage'] as const) {
    const id = stringAt(answer.json, 'data', role, 'id');
    if (id === undefined || id === '') continue;
    const chats = known.get(id) ?? new Set();
    known.set(id, chats.add(chatId));
  }
}

/** The chats in which a message of that ID was seen; none where nobody of this run sent it. */
export function chatsOf(session: Session, messageId: string): ReadonlySet<string> {
  return chatsByMessage.get(session)?.get(messageId) ?? new Set();
}

/** Whether this run saw a message in the chat: then it is there, whatever is answered about it later. */
export function wasWrittenTo(session: Session, chatId: string): boolean {
  return [...(chatsByMessage.get(session) ?? new Map<string, Set<string>>()).values()].some((chats) =>
    chats.has(chatId),
  );
}
