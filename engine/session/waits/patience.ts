import type { Chat } from '../chat-pool.ts';
import { perRun } from '../run-memory.ts';
import type { Session } from '../session.ts';
import { leastBusyMs, longestResponseMs, longestSeenMs } from './response-times.ts';

/** The shortest patience, in milliseconds, and by how much patience is reduced each time that it had no result. */
const leastMs = 5000;
const reductions = {
  'an answer': 2,
  'an idle chat': 8,
  'the end of refusals': 8,
  'the refusal of a wait': 4,
  'other traffic in a chat': 4,
  'the end of a rate limit': 4,
  'recovery from an outage': 8,
  'a copy after an outage': 8,
  'a list after a deletion': 8,
} as const;

/** What a run waits for without knowing whether it happens. */
type Awaited = keyof typeof reductions;

/** The waiting budget of a run: what was waited for without result is not waited for as long again. */
const budgetIn = perRun(() => ({
  withoutResult: new Map<Awaited, number>(),
  givenUp: new Set<Chat>(),
}));

/** How long to wait for that, in milliseconds: `ms` at first, and less each time that it did not happen. */
export function patienceMs(session: Session, awaited: Awaited, ms: number): number {
  const count = budgetIn(session).withoutResult.get(awaited) ?? 0;
  return count === 0 ? ms : Math.min(ms, Math.max(leastMs, ms / reductions[awaited] ** count));
}

/** Remembers that this was waited for without result. */
export function waitedWithoutResult(session: Session, awaited: Awaited): void {
  const { withoutResult } = budgetIn(session);
  withoutResult.set(awaited, (withoutResult.get(awaited) ?? 0) + 1);
}

/** How long a busy chat may stay busy, in milliseconds: not at all if it was given up, and longer than any response so far. */
export function idlePatienceMs(session: Session, chat: Chat): number {
  if (budgetIn(session).givenUp.has(chat)) return 0;
  const fullMs = longestResponseMs(session);
  return Math.min(fullMs, Math.max(2 * longestSeenMs(session), patienceMs(session, 'an idle chat', fullMs)));
}

/**
 * How long a chat may refuse messages with another status than 409, in milliseconds. A generating response may be the reason. Any other
 * reason hardly ends within the run.
 */
export function refusalPatienceMs(session: Session): number {
  return patienceMs(session, 'the end of refusals', Math.max(leastBusyMs, 2 * longestSeenMs(session)));
}

/** Remembers that a chat refused messages for longer than that. */
export function refusedForGood(session: Session): void {
  waitedWithoutResult(session, 'the end of refusals');
}

/** Remembers that the chat stayed busy for longer than its patience. */
export function stayedBusy(session: Session, chat: Chat): void {
  const { givenUp } = budgetIn(session);
  if (givenUp.has(chat)) return;
  givenUp.add(chat);
  waitedWithoutResult(session, 'an idle chat');
}
