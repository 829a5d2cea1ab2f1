import { perRun } from './run-memory.ts';
import type { Session } from './session.ts';

/** How long a quick response is waited for at first, in seconds: no longer than a deployment that holds on needs to be seen. */
const firstSeconds = 10;

/** Whether a quick response took longer than that. */
const paceIn = perRun(() => ({ isSlow: false }));

/** `wait` for a quick prompt, in seconds. */
export function firstWait(session: Session): number {
  return paceIn(session).isSlow ? longestWait(session) : Math.min(firstSeconds, longestWait(session));
}

/** The longest sensible `wait`, in seconds. */
export function longestWait({ target }: Session): number {
  return Math.max(1, Math.min(300, Math.floor(target.assistant.timeoutSeconds)));
}

/** A response to the quick prompt was not finished when the first wait was over: from now on it is given all the time. */
export function rememberSlow(session: Session, message: unknown, elapsedMs: number): void {
  const isQuick = message === session.target.assistant.quickPrompt;
  if (isQuick && elapsedMs >= 0.9 * 1000 * firstSeconds) paceIn(session).isSlow = true;
}
