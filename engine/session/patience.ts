import { perRun } from './run-memory.ts';
import type { Session } from './session.ts';

/** The first `wait` for a quick response, in seconds: long enough to see whether a deployment holds a request. */
const firstSeconds = 10;

/** Whether a quick response took longer than {@link firstSeconds}. */
const paceIn = perRun(() => ({ isSlow: false }));

/** `wait` for a quick prompt, in seconds. */
export function firstWait(session: Session): number {
  return paceIn(session).isSlow ? longestWait(session) : Math.min(firstSeconds, longestWait(session));
}

/** The longest sensible `wait`, in seconds. */
export function longestWait({ target }: Session): number {
  return Math.max(1, Math.min(300, Math.floor(target.assistant.timeoutSeconds)));
}

/** Remembers a response to the quick prompt that outlasted the first wait: later ones get the longest wait. */
export function rememberSlow(session: Session, message: unknown, elapsedMs: number): void {
  const isQuick = message === session.target.assistant.quickPrompt;
  if (isQuick && elapsedMs >= 0.9 * 1000 * firstSeconds) paceIn(session).isSlow = true;
}
