import { type Answer, isSuccess } from '../../core/exchange.ts';
import { waitIn } from '../../core/paths.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import type { Session } from '../../engine/session/session.ts';
import { tookWholeWait } from '../../engine/session/waits/choose-wait.ts';
import { durationsOf } from './latest-message.ts';

/** A message or repetition that was held for its whole wait and answered 202, and the next message of its chat, which was accepted soon after that. */
type Overtaken = { readonly text: string; readonly held: Answer; readonly next: Answer };

const memoryOf = perRun(() => ({ held: new Map<Chat, Omit<Overtaken, 'next'>>(), overtaken: new Array<Overtaken>() }));

/** A response that outlasts a wait is suspect if another one took at most this share of the wait. */
const shareOfWait = 0.5;

/** Remembers an answer to the latest message of a chat, or to a repetition of it. */
export function rememberOutcome(session: Session, chat: Chat, text: unknown, answer: Answer): void {
  const { held } = memoryOf(session);
  const isHeld = answer.status === 202 && waitIn(answer.exchange.request.path) !== undefined && tookWholeWait(answer);
  if (isHeld && typeof text === 'string') held.set(chat, { text, held: answer });
  else held.delete(chat);
}

/** Remembers the answer to the next message of a chat. */
export function rememberNext(session: Session, chat: Chat, next: Answer): void {
  const { held, overtaken } = memoryOf(session);
  const before = held.get(chat);
  held.delete(chat);
  if (before === undefined || !isSuccess(next)) return;
  const laterMs = next.exchange.sentAt - before.held.exchange.receivedAt;
  if (laterMs >= 0 && laterMs <= session.target.limits.toleranceMs) overtaken.push({ ...before, next });
}

/** Whether a response outlasted a long wait, although its chat then accepted another message at once. */
export function mayLoseResponses(session: Session): boolean {
  const { quickPrompt } = session.target.assistant;
  return memoryOf(session).overtaken.some(({ text, held }) => {
    const [own, quick] = [durationsOf(session, text), durationsOf(session, quickPrompt)];
    const { count, leastMs } = own.count > 0 ? own : quick;
    return count > 0 && leastMs <= shareOfWait * held.elapsedMs;
  });
}
