import type { Api } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { givenChat, givenFinished, makeIdle, readSent } from './conversation.ts';
import { promptedIn, type Sent } from './sending.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { stringAt } from '../../core/json.ts';
import { latestIn } from './latest-message.ts';
import { Blocked } from '../../engine/verdict.ts';

/** Which message of the previous turn a user message names as its parent; undefined if neither. */
export function parentIn(answer: Answer, before: Sent): 'user' | 'assistant' | undefined {
  const parent = stringAt(answer.json, 'data', 'userMessage', 'parentId');
  if (parent === undefined) return undefined;
  if (parent === before.assistantMessageId) return 'assistant';
  return parent === before.userMessageId ? 'user' : undefined;
}

/**
 * Blocked if a message follows what the `last` one followed, where responses end in several ways: then the response to the last one may
 * have failed, and a message need not follow that.
 */
export function mustNotBranch({ session }: Api, next: Answer, last: Answer): void {
  const [parent, before] = [next, last].map(({ json }) => stringAt(json, 'data', 'userMessage', 'parentId'));
  const finished = promptedIn(session).filter(({ status }) => status === 200);
  const ends = new Set(finished.map(({ json }) => stringAt(json, 'data', 'assistantMessage', 'status')));
  if (ends.size > 1 && parent !== undefined && parent === before)
    throw new Blocked('a message does not follow the last one, whose response may have failed');
}

/** The last message of an idle chat. */
export type Thread = {
  /** Its response has finished. */
  readonly last: Sent;
  /** Which message of the one before it names as its parent; undefined if none, so that a parent shows nothing. */
  readonly expectedParent: 'user' | 'assistant' | undefined;
};

/** The last message of the chat, with its finished response. It may be of another check: only then does it cost nothing. */
export async function givenLast(api: Api, chat: Chat): Promise<Sent> {
  await makeIdle(api, chat);
  return lastIn(api, chat) ?? givenFinished(api, chat);
}

/** A chat for this check alone: one with a known thread, if there is one. */
export function givenThreadChat(api: Api, wanted: (chat: Chat) => boolean = () => true): Promise<Chat> {
  return givenChat(api, withThread(api, wanted));
}

/** Which chats to take of those that are wanted: idle ones whose last two messages are known, if there are any, because two others cost money. */
export function withThread({ session }: Api, wanted: (chat: Chat) => boolean): (chat: Chat) => boolean {
  const { chats } = session;
  const isKnown = (chat: Chat): boolean =>
    wanted(chat) && chats.standing(chat).state === 'idle' && latestIn(session, chat)?.before !== undefined;
  return chats.all.some(isKnown) ? isKnown : wanted;
}

/** The last message of the chat, and what the next one will name as its parent. */
export async function givenThread(api: Api, chat: Chat): Promise<Thread> {
  const last = await givenLast(api, chat);
  const before = latestIn(api.session, chat)?.before;
  const known =
    before === undefined || !isSuccess(before) ? undefined : parentIn(last.answer, readSent(chat, '', '', before));
  if (known !== undefined) return { last, expectedParent: known };
  const next = await givenFinished(api, chat);
  const expectedParent = parentIn(next.answer, last);
  if (next.answer.status === 200 && expectedParent !== undefined) return { last: next, expectedParent };
  // A parent between them may be what a refused message left behind, so two that follow each other at once decide.
  const after = await givenFinished(api, chat);
  return { last: after, expectedParent: after.answer.status === 200 ? parentIn(after.answer, next) : undefined };
}

function lastIn({ session }: Api, chat: Chat): Sent | undefined {
  const latest = latestIn(session, chat);
  const standing = session.chats.standing(chat);
  if (latest?.answer === undefined || standing.state !== 'idle' || standing.finished !== latest.answer)
    return undefined;
  const { key, text, written, caller } = latest;
  return { ...readSent(chat, key, text, latest.answer), written, caller };
}
