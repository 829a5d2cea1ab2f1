import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

/** A limit of 100 requests in two seconds, whose refusals ask for that many seconds. */
const asking =
  (secondsAt: (nowMs: number) => number): NonNullable<TrialOptions['through']> =>
  (behind, clock) => {
    let [startedAt, used] = [Number.NEGATIVE_INFINITY, 0];
    return async (request) => {
      await clock.sleep(2);
      const now = clock.now();
      if (now >= startedAt + 2000) [startedAt, used] = [now, 0];
      used += 1;
      return used <= 100 ? behind(request) : errorAnswer(429, { 'retry-after': String(secondsAt(now)) });
    };
  };

const dayMs = 86_400_000;

test.each([
  ['the time in milliseconds', (now: number) => now / 1000, /^failed: .* milliseconds since 1970/],
  [
    'the time in seconds, of a clock that is slow',
    (now: number) => (now - dayMs / 2) / 1e6,
    /^failed: .* seconds since/,
  ],
  ['a day', () => 86_400, /^blocked: /],
  ['a month', () => 30 * 86_400, /^blocked: /],
  ['years', (now: number) => (now - 2 * dayMs) / 1000, /^blocked: /],
] as const)('a limit whose refusals ask to wait for %s', async (_what, secondsAt, said) => {
  const through = asking(secondsAt);
  const heard = await saidBy('rate.honest/listModels', { choices: { 'rate-quota': 'none' }, through });
  expect(heard).toEqual([expect.stringMatching(said)]);
});
