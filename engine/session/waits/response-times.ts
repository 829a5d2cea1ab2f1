import type { Answer } from '../../../core/exchange.ts';
import { perRun } from '../run-memory.ts';
import type { Session } from '../session.ts';

/** Once a slow response has finished, no other is expected to take longer than this many times the longest one, or than this time, in milliseconds. */
const timesLonger = 10;
export const leastBusyMs = 30_000;

/** A new message, or one that was sent again with its key. */
export type SentAs = 'message' | 'repetition';

/** What a run saw of how long responses take. */
const seenIn = perRun(() => ({
  /** The longest time that an accepted message was held, in milliseconds, and that a new one was held until its response had finished. */
  longestHeldMs: 0,
  longestFinishedMs: 0,
  /** What showed a finished response to the slow prompt: a repetition does not show how long that took. */
  slowShownBy: new Set<SentAs>(),
}));

/** Which prompt the message counts as: any text but the slow prompt is as quick as the quick one. */
export function promptOf({ target }: Session, message: unknown): 'quick' | 'slow' {
  const { slowPrompt, quickPrompt } = target.assistant;
  return message === slowPrompt && slowPrompt !== quickPrompt ? 'slow' : 'quick';
}

/** Remembers what an accepted message shows about the time that responses take. */
export function rememberResponse(
  session: Session,
  message: unknown,
  { status, elapsedMs }: Answer,
  sentAs: SentAs,
): void {
  const seen = seenIn(session);
  seen.longestHeldMs = Math.max(seen.longestHeldMs, elapsedMs);
  if (status !== 200) return;
  if (sentAs === 'message') seen.longestFinishedMs = Math.max(seen.longestFinishedMs, elapsedMs);
  if (message === session.target.assistant.slowPrompt) seen.slowShownBy.add(sentAs);
}

/** Whether a response to the slow prompt was seen to end the request of its message. */
export function hasSeenSlowEnd(session: Session): boolean {
  return seenIn(session).slowShownBy.has('message');
}

/** The longest time that a response may take by what this run saw, in milliseconds: as declared if no slow one has finished. */
export function longestResponseMs(session: Session): number {
  const declaredMs = session.target.assistant.timeoutSeconds * 1000;
  if (seenIn(session).slowShownBy.size === 0) return declaredMs;
  return Math.min(declaredMs, Math.max(leastBusyMs, timesLonger * longestSeenMs(session)));
}

/** The longest time that a message is held for its response, in milliseconds. A response to the quick prompt shows how long others take. */
export function longestHoldMs(session: Session, message: unknown): number {
  const { longestFinishedMs } = seenIn(session);
  const longestMs = longestResponseMs(session);
  if (promptOf(session, message) === 'slow' || longestFinishedMs === 0) return longestMs;
  return Math.min(longestMs, Math.max(leastBusyMs, timesLonger * longestFinishedMs));
}

/** A message that was held without a result shows nothing about finished responses, but counts until a new slow one has finished. */
export function longestSeenMs(session: Session): number {
  const { longestFinishedMs, longestHeldMs } = seenIn(session);
  return hasSeenSlowEnd(session) ? longestFinishedMs : longestHeldMs;
}
