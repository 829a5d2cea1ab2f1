import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import { createReference } from '../reference/reference.ts';
import { suites } from '../suites/index.ts';
import { openSession } from '../suites/run/open-session.ts';
import { runSuite } from '../suites/run/run-suite.ts';

/** Checks of a run with two workers that failed, or were blocked although their requirement depends on them. */
async function notPassed(seed: number, faults: readonly string[] = []): Promise<readonly string[]> {
  const clock = virtualClock();
  const reference = createReference({ clock, seed, faults, choices: { workers: '2' } });
  const record = await runSuite(openSession({ ...reference, clock, seed }, suites), suites);
  const extended = new Set(suites.filter((check) => check.extended).map(({ id }) => id));
  return record.checks
    .filter(({ id, verdict }) => verdict !== 'passed' && !(verdict === 'blocked' && extended.has(id)))
    .map(({ id }) => id);
}

const seeds = [1, 2, 3, 4, 5];

test.each(seeds)('checks side by side accuse no deployment of two workers (seed %s)', async (seed) => {
  expect(await notPassed(seed)).toEqual([]);
});

test.each(seeds)('lateness that recurs alone is a violation (seed %s)', async (seed) => {
  expect(await notPassed(seed, ['held-two-seconds'])).toContain('messages.immediate');
});
