import { expect, test } from 'vitest';
import type { Target } from '../../core/target.ts';
import type { TrialOptions } from '../../proof/trial.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

/** The pace uses a quota up when four fifths of its window are over, and the requests of the probe do not suffice for two quotas. */
const part = (target: Target): Target => ({
  ...target,
  limits: { ...target.limits, maxRequestsPerSecond: 200, rateProbeRequests: 1900 },
});
const [quota, windowMs] = [800, 5000];

/** A window whose refusals ask for `asked` of what is left of it. Each may begin it again, and then announces the end that it had before. */
const limited =
  (asked: (leftMs: number) => number, beginsAgain = false): NonNullable<TrialOptions['through']> =>
  (behind, clock) => {
    let [startedAt, used] = [Number.NEGATIVE_INFINITY, 0];
    return async (request) => {
      await clock.sleep(2);
      const now = clock.now();
      if (now >= startedAt + windowMs) [startedAt, used] = [now, 0];
      used += 1;
      if (used <= quota) return behind(request);
      const leftMs = startedAt + windowMs - now;
      if (beginsAgain) startedAt = now;
      return errorAnswer(429, { 'retry-after': `${asked(leftMs) / 1000}` });
    };
  };

const spent = /^blocked: the 1900 requests of the rate probe were spent/;
const useless = /^failed: .*; got 429 after each wait/;
const drifts = /^failed: .* does not count down with time, and waiting does not help$/;

test.each([
  ['0', 'rate.honest/listModels', limited(() => 0), useless],
  ['half of what is left', 'rate.counts-down/listModels', limited((ms) => ms / 2), drifts],
  ['what was left before it began again', 'rate.honest/listModels', limited((ms) => ms, true), useless],
  ['the length of the window', 'rate.honest/listModels', limited(() => windowMs), spent],
] as const)('a wait of %s is judged by %s where only one quota can be used up', async (_name, id, through, said) => {
  const heard = await saidBy(id, { choices: { 'rate-quota': 'none' }, part, through, after: ['rate.body/listModels'] });
  expect(heard).toEqual([expect.stringMatching(said)]);
});

test.each(['rate.honest/listModels', 'rate.counts-down/listModels'])('%s accuses no honest limit there', async (id) => {
  expect(await saidBy(id, { choices: { 'rate-quota': 'none' }, part, through: limited(Math.ceil) })).toEqual([]);
});
