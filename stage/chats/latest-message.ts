import type { Caller } from '../../engine/api.ts';
import type { Chat } from '../../engine/session/chat-pool.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import type { Session } from '../../engine/session/session.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';

/** A message that its chat accepted, or may have accepted: it can be repeated with its key. */
export type Latest = {
  readonly chat: Chat;
  readonly caller: Caller;
  readonly key: string;
  readonly text: string;
  /** When it was sent, in milliseconds of the clock. */
  readonly sentAt: number;
  /** The answer; undefined if the client got none. */
  readonly answer: Answer | undefined;
};

/** A chat that answered 409 until the run gave it up. */
export type Stuck = { readonly latest: Latest; readonly refused: Answer };

/** How long the finished responses to one text took. */
type Durations = { readonly count: number; readonly mostMs: number };

type Memory = {
  readonly latest: Map<Chat, Latest>;
  readonly stuck: Stuck[];
  readonly durations: Map<string, Durations>;
};

const memoryOf = perRun((): Memory => ({ latest: new Map(), stuck: [], durations: new Map() }));

/** Texts whose durations are remembered. */
const mostTexts = 1000;

/** Remembers a message if it is the latest of its chat. A message without a key cannot be repeated. */
export function rememberLatest(
  session: Session,
  message: Omit<Latest, 'key' | 'text' | 'sentAt'> & { readonly key: string | null; readonly text: unknown },
): void {
  const { latest, durations } = memoryOf(session);
  const { chat, key, text, answer } = message;
  if (answer !== undefined && !isSuccess(answer) && answer.status < 500) return;
  if (key === null || typeof text !== 'string') {
    latest.delete(chat);
    return;
  }
  latest.set(chat, { ...message, key, text, sentAt: answer?.exchange.sentAt ?? session.clock.now() });
  if (answer?.status !== 200 || durations.size >= mostTexts) return;
  const { count, mostMs } = durationsOf(session, text);
  durations.set(text, { count: count + 1, mostMs: Math.max(mostMs, answer.elapsedMs) });
}

/** The latest message of a chat, if its answer showed the finished response. */
export function finishedIn(session: Session, chat: Chat): Latest | undefined {
  const latest = memoryOf(session).latest.get(chat);
  return latest?.answer?.status === 200 ? latest : undefined;
}

export function durationsOf(session: Session, text: string): Durations {
  return memoryOf(session).durations.get(text) ?? { count: 0, mostMs: 0 };
}

/** Remembers that a chat was given up while it answered 409. */
export function rememberStuck(session: Session, chat: Chat, refused: Answer): void {
  const { latest, stuck } = memoryOf(session);
  const message = latest.get(chat);
  if (message !== undefined) stuck.push({ latest: message, refused });
}

export function stuckIn(session: Session): readonly Stuck[] {
  return memoryOf(session).stuck;
}
