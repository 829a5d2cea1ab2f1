import type { Chat } from './chat-pool.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { stringAt } from '../../core/json.ts';
import { perRun } from './run-memory.ts';
import type { Session } from './session.ts';

/** Two messages of one chat with different idempotency keys and the same ID. */
type SharedId = { readonly id: string; readonly first: Answer; readonly second: Answer };

/** The number of new messages whose first answer a run remembers. */
const mostFirst = 20_000;

type Seen = {
  /** The chats in which each message was seen, by its ID: an ID may be unique within a chat only. */
  readonly chats: Map<string, Set<string>>;
  /** The answer that showed each new message, by organization, chat and ID. */
  readonly first: Map<string, Answer>;
  shared: SharedId | undefined;
  /** New messages that name a parent. */
  readonly children: Child[];
};

/** The messages of an answer. */
export const messageRoles = ['userMessage', 'assistantMessage'] as const;
export type MessageRole = (typeof messageRoles)[number];

/** A message that names a parent, and the chat it is in. */
export type Child = {
  readonly chatId: string;
  readonly role: MessageRole;
  readonly parent: string;
  readonly answer: Answer;
};

const seenIn = perRun((): Seen => ({ chats: new Map(), first: new Map(), shared: undefined, children: [] }));

/** Remembers the messages of an answer. The ID of a message that `isNew` must be new in the chat. */
export function noteMessages(
  session: Session,
  { organizationId, chatId }: Pick<Chat, 'organizationId' | 'chatId'>,
  answer: Answer,
  isNew: boolean,
): void {
  const seen = seenIn(session);
  for (const role of messageRoles) {
    const parent = stringAt(answer.json, 'data', role, 'parentId') ?? '';
    const isChild = isNew && isSuccess(answer) && parent !== '';
    if (isChild && seen.children.length < mostFirst) seen.children.push({ chatId, role, parent, answer });
    const id = stringAt(answer.json, 'data', role, 'id');
    if (id === undefined || id === '') continue;
    seen.chats.set(id, (seen.chats.get(id) ?? new Set()).add(chatId));
    if (!isNew || !isSuccess(answer)) continue;
    const place = JSON.stringify([organizationId, chatId, id]);
    const first = seen.first.get(place);
    // If both messages of one answer have the same ID, a check of that answer reports it.
    if (first !== undefined && first !== answer) seen.shared ??= { id, first, second: answer };
    if (seen.first.size < mostFirst) seen.first.set(place, answer);
  }
}

/** The chats in which this run saw a message of that ID. */
export function chatsOf(session: Session, messageId: string): ReadonlySet<string> {
  return seenIn(session).chats.get(messageId) ?? new Set();
}

/** Whether two chats were seen with a message of one ID, so that an ID does not show which chat a message is in. */
export function areIdsShared(session: Session): boolean {
  return [...seenIn(session).chats.values()].some((chats) => chats.size > 1);
}

/** Whether this run saw a message in the chat. If so, the chat exists, whatever later answers say. */
export function wasWrittenTo(session: Session, chatId: string): boolean {
  return [...seenIn(session).chats.values()].some((chats) => chats.has(chatId));
}

/** The first two messages that share an ID. */
export function sharedIdOf(session: Session): SharedId | undefined {
  return seenIn(session).shared;
}

/** The new messages so far that name a parent. */
export function childrenOf(session: Session): readonly Child[] {
  return seenIn(session).children;
}
