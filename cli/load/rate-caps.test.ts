import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { createRateCaps } from './rate-caps.ts';

const limits = { toleranceMs: 750, rateProbeRequests: 100 };
const one = (maxRequestsPerSecond: number) => ({
  baseUrl: 'http://127.0.0.1:1',
  limits: { ...limits, maxRequestsPerSecond },
});

test.each([100, Number.POSITIVE_INFINITY])(
  'what left under a limit of %d counts under a lower one that another target file has',
  async (first) => {
    const clock = virtualClock(0);
    const caps = createRateCaps(1, clock);
    const sendAll = (most: number) =>
      Array.from({ length: 50 }, () => caps(one(most)).take()).filter((wait) => wait === 0);
    expect(sendAll(first)).toHaveLength(50);
    await clock.sleep(500);
    expect(sendAll(20)).toHaveLength(0);
    await clock.sleep(1020);
    expect(sendAll(20)).toHaveLength(20);
    // The lower limit holds for both.
    expect(sendAll(first)).toHaveLength(0);
  },
);
