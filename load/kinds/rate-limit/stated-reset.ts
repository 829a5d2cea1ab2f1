import { impliedReset, roundingOf } from '../../../core/implied-resets.ts';
import { type LimitedWindow, statingWait } from './limit-sample.ts';

/** How much the refusals of a window may differ: timers, and a part of the window for servers with different clocks. */
export const slackMs = 25;
const slackShare = 0.05;

/** The earliest reset that a refusal of the window states; infinite if none states one. */
export function statedReset(window: LimitedWindow): number {
  return Math.min(...statingWait(window.refused).map((refusal) => impliedReset(refusal).earliest));
}

/** How long before the stated reset a request was accepted; 0 if it was not, or within what is tolerated. */
export function freedEarlyMs(window: LimitedWindow): number {
  const reset = statedReset(window);
  if (window.reopened === undefined || !Number.isFinite(reset)) return 0;
  const earlyMs = reset - window.reopened.receivedAt;
  return earlyMs > toleratedMs(window) ? earlyMs : 0;
}

/** For how long everything was refused. */
export function refusedMs({ refused, reopened }: LimitedWindow): number {
  const [first] = refused;
  const last = reopened ?? refused.at(-1);
  return first === undefined || last === undefined ? 0 : Math.max(1, last.receivedAt - first.sentAt);
}

/** How far `retryAfterMs` may be from the truth. A target that rounds up to whole seconds is coarse, not dishonest. */
export function toleratedMs(window: LimitedWindow): number {
  return slackMs + slackShare * refusedMs(window) + stepMs(window);
}

/** The unit that a window's waits seem to be rounded to. */
export function stepMs(window: LimitedWindow): number {
  const refusals = statingWait(window.refused);
  return refusals.some(({ retryAfterMs }) => retryAfterMs > 0) ? roundingOf(refusals) : 1;
}
