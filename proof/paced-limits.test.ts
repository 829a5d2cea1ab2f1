import { expect, test } from 'vitest';
import { suites } from '../suites/index.ts';
import { runTrial } from './trial.ts';

// At these, more than half of the window is over before the first 429.
test.each([125, 140, 170])(
  'a quota of 200 in 2 s that is used up at %i requests a second gives time enough to judge the limit',
  async (maxRequestsPerSecond) => {
    const findings = await runTrial(
      { seed: 1, faults: [], choices: {} },
      {
        checks: suites.filter(({ requirement }) => requirement.startsWith('rate.')),
        part: (target) => ({ ...target, limits: { ...target.limits, maxRequestsPerSecond } }),
      },
    );
    expect(findings).toEqual([]);
  },
);

const buckets = ['bucket', 'bucket-until-full'].flatMap(
  (window) =>
    [
      [window, '200-in-2s', 140],
      [window, '200-in-2s', 170],
      [window, '200-in-2s', 250],
      [window, '20-in-1s', 50],
      [window, '20-in-1s', 125],
    ] as const,
);

/** A bucket refills all the time, so now and then it accepts the write that it should refuse, and the check is blocked. */
const seeds = [1, 2, 3, 4, 5, 6] as const;

test.each(buckets)(
  'a %s of %s that is used up at %i requests a second lets every check judge the limit, with most seeds',
  async (window, quota, maxRequestsPerSecond) => {
    const choices = { 'rate-window': window, 'rate-quota': quota };
    const runs = seeds.map((seed) =>
      runTrial(
        { seed, faults: [], choices },
        {
          checks: suites.filter(({ phase }) => phase === 'rateLimit'),
          part: (target) => ({
            ...target,
            limits: { ...target.limits, maxRequestsPerSecond, rateProbeRequests: 6000 },
          }),
        },
      ),
    );
    const findings = await Promise.all(runs);
    expect(findings.flat().filter(({ kind }) => kind !== 'blocked')).toEqual([]);
    expect(findings.filter((found) => found.length > 0).length).toBeLessThanOrEqual(2);
  },
);
