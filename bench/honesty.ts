import { virtualClock } from '../core/clock.ts';
import { judgeHonesty } from '../load/kinds/rate-limit/judge-honesty.ts';
import { observeWindows } from '../load/kinds/rate-limit/observe-windows.ts';
import { simulateLimiter, type SimulatedLimiter } from '../testing/simulated/limiter.ts';
import { type Figure, figure } from './setup/figure.ts';

const runs = 100;

/** How often a lie of a fifth is detected, and how often an honest limiter is called dishonest, in simulation. */
export async function honesty(): Promise<readonly Figure[]> {
  const lies = await dishonest((ms) => Math.ceil(ms * 1.2));
  const truths = await dishonest((ms) => Math.ceil(ms));
  return [
    figure('a lie of 20% is flagged', `${lies} of ${runs}`, `${runs}`, lies === runs),
    figure('false alarms over honest limiters', `${truths} of ${runs}`, '0', truths === 0),
  ];
}

async function dishonest(says: SimulatedLimiter['says']): Promise<number> {
  let count = 0;
  for (let seed = 0; seed < runs; seed += 1) {
    const clock = virtualClock();
    const kind = (['from-first', 'on-clock'] as const)[seed % 2] ?? 'from-first';
    const limiter = { kind, quota: 50, windowMs: 500 + 100 * seed, says, travelMs: seed % 30, seed } as const;
    const { windows } = await observeWindows({
      prober: simulateLimiter(limiter, clock),
      clock,
      windows: 4,
      longestWindowMs: 120_000,
      budget: 5000,
      whileLimited: async () => {},
      signal: new AbortController().signal,
    });
    if (judgeHonesty(windows).verdict === 'dishonest') count += 1;
  }
  return count;
}
