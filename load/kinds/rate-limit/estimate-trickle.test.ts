import { expect, test } from 'vitest';
import { trickle } from './estimate-trickle.ts';
import type { LimitedWindow, LimitSample } from './limit-sample.ts';

/** A target that decided at `at` and whose answer took `backMs`. */
function sample(at: number, kind: LimitSample['kind'], backMs = 1, retryAfterMs?: number): LimitSample {
  return { sentAt: at - 1, receivedAt: at + backMs, kind, retryAfterMs };
}

/** A quota that was used up at `at`, when that many requests had been accepted. */
function usedUp(at: number, accepted: number, backMs: number): LimitedWindow {
  return {
    opened: undefined,
    accepted,
    refused: [sample(at, 'limited', backMs, 90)],
    settledAt: 0,
    beside: 0,
    reopened: sample(at + 95, 'accepted'),
    isWaitedOut: true,
    isSplit: false,
    isRested: false,
  };
}

test.each([
  [1, 1],
  [1000, 1],
  [1, 1000],
])('the window of a bucket is in its range if the first refusal takes %i ms, and the last one %i ms', (first, last) => {
  // 100 tokens, and another one every 100 ms.
  const windows = [usedUp(0, 100, first), usedUp(2000, 20, 1), usedUp(4000, 20, 1), usedUp(6000, 20, last)];
  const context = { firstOpenedAt: -50, startedAt: -50, sentBefore: 0, isHonest: true };
  const { kind, windowMs } = trickle(windows, context);
  expect(kind).toBe('token bucket');
  expect(windowMs?.low).toBeLessThanOrEqual(10_000);
  expect(windowMs?.high).toBeGreaterThanOrEqual(10_000);
});
