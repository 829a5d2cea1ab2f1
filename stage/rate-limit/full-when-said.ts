import type { Answer } from '../../core/exchange.ts';
import { retryAfterOf } from '../../core/implied-resets.ts';
import { exhaust, type RateProbe } from './rate-probe.ts';

/** The longest wait that is tried, in milliseconds. */
const longestMs = 60_000;
/** The share of a full quota that must pass after the whole wait. */
const nearlyAll = 0.8;
/** The share of that which passes after half of the wait; a window would let all or none pass by then. */
const half = { least: 0.2, most: 0.8 } as const;
/** How long to wait for answers that are still on the way, in milliseconds. */
const underWayMs = 500;

/**
 * Whether the whole quota, of which `most` requests once passed, is free again after the wait that a 429 asks for, and some of it
 * after half of that. A bucket that refills continuously refuses only for a moment, so its wait is never seen to
 * count down; this confirms a wait that means when the bucket is full. Uses up to three quotas. Blocked if they are not reached.
 */
export async function isFullWhenSaid(probe: RateProbe, most: number): Promise<boolean> {
  const whole = await passAfter(probe, 1);
  if (whole < nearlyAll * most) return false;
  const part = (await passAfter(probe, 0.5)) / whole;
  return part >= half.least && part < half.most;
}

/** Uses the quota up, waits for that share of `retryAfterMs`, and returns how many requests pass until it is used up again. */
async function passAfter(probe: RateProbe, share: number): Promise<number> {
  const { clock } = probe.api.session;
  const { limited } = await exhaust(probe, async () => {});
  const askedMs = retryAfterOf(limited.at(-1)) ?? Number.POSITIVE_INFINITY;
  if (askedMs > longestMs) return 0;
  await clock.sleep(share * Math.max(0, askedMs));
  let passed = 0;
  const send = async (): Promise<Answer> => {
    const answer = await probe.send();
    if (answer.status !== 429) passed += 1;
    return answer;
  };
  await exhaust({ ...probe, send }, async () => {});
  // Some answers are still on the way when the first request is refused.
  await clock.sleep(underWayMs);
  return passed;
}
