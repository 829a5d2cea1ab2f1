import type { Session } from './session.ts';

/** How long a quick response is waited for at first, in seconds: no longer than a deployment that holds on needs to be seen. */
const firstSeconds = 10;

/** The sessions in which a quick response took longer than that. */
const slow = new WeakSet<Session>();

/** `wait` for a quick prompt, in seconds. */
export function firstWait(session: Session): number {
  return slow.has(session) ? longestWait(session) : Math.min(firstSeconds, longestWait(session));
}

/** The longest sensible `wait`, in seconds. */
export function longestWait({ target }: Session): number {
  return Math.max(1, Math.min(300, Math.floor(target.assistant.timeoutSeconds)));
}

/** A response to the quick prompt was not finished when the first wait was over: from now on it is given all the time. */
export function rememberSlow(session: Session, message: unknown, elapsedMs: number): void {
  const isQuick = message === session.target.assistant.quickPrompt;
  if (isQuick && elapsedMs >= 0.9 * 1000 * firstSeconds) slow.add(session);
}
