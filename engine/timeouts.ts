import type { Exchange } from '../core/exchange.ts';
import { waitIn } from '../core/paths.ts';
import { heldForMs } from './session/held-requests.ts';
import { patienceMs, waitedWithoutResult } from './session/waits/patience.ts';
import { longestHoldMs } from './session/waits/response-times.ts';
import type { Session } from './session/session.ts';

/** How long an answer may take before it counts as missing, in milliseconds, plus any `wait`. */
const timeoutMs = 20_000;

/** How long an answer to anything but a message is waited for, in milliseconds. */
export function answerTimeoutMs(session: Session): number {
  return patienceMs(session, 'an answer', timeoutMs) + heldForMs(session);
}

/**
 * How long to wait for an answer to a message with this `wait`, in milliseconds: a request is held until the assistant finishes, and a
 * response that never ends is not waited for to the end of a `wait` of minutes. A deployment may clamp a `wait` out of range.
 */
export function messageTimeoutMs(session: Session, message: unknown, wait: string | number | undefined): number {
  const heldMs = heldForMs(session);
  if (wait === undefined) return timeoutMs + heldMs;
  const mostMs = Math.min(longestHoldMs(session, message), 1000 * Math.min(300, Math.max(0, Number(wait) || 0)));
  if (!isOutOfRange(wait)) return timeoutMs + mostMs + heldMs;
  return patienceMs(session, 'the refusal of a wait', timeoutMs + mostMs) + heldMs;
}

/** Remembers an answer that did not come, so that the next one is waited for less long. */
export function noteUnanswered(session: Session, exchange: Exchange): void {
  if (isUnanswered(exchange)) waitedWithoutResult(session, 'an answer');
  if (isUnansweredWait(exchange)) waitedWithoutResult(session, 'the refusal of a wait');
}

function isUnanswered({ operation, outcome }: Exchange): boolean {
  return outcome.kind === 'failed' && outcome.failure === 'timeout' && operation !== 'sendMessage';
}

function isUnansweredWait({ request, outcome }: Exchange): boolean {
  const wait = waitIn(request.path);
  return outcome.kind === 'failed' && outcome.failure === 'timeout' && wait !== undefined && isOutOfRange(wait);
}

/** Whether section 8 leaves open what happens to such a wait. */
export function isOutOfRange(wait: string | number): boolean {
  const seconds = Number(wait);
  return !Number.isInteger(seconds) || seconds < 1 || seconds > 300;
}
