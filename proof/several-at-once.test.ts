import { beforeAll, expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import { createReference } from '../reference/reference.ts';
import { suites } from '../suites/index.ts';
import { openSession } from '../suites/run/open-session.ts';
import { runSuite } from '../suites/run/run-suite.ts';

/** How long a run without outages takes in virtual time, in seconds, with so many checks at a time; without a number, as many as `awc run` does. */
async function secondsOf(faults: readonly string[], atOnce?: number): Promise<number> {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1, faults });
  const session = openSession({ deployment, target, clock, seed: 1, outages: {} }, suites);
  return (await runSuite(session, suites, { atOnce, observed: false })).durationMs / 1000;
}

let mostSeconds: number;
beforeAll(async () => {
  mostSeconds = 2 * (await secondsOf([], 1)) + 30;
});

// Checks that begin together do not know yet what the others wait for without result.
test.each([
  'whole-wait-held',
  'response-lasts-as-long-as-wait',
  'slow-is-held-for-good',
  'unknown-account-hangs',
  'wait-above-300-held-in-full',
  'chat-locked-for-good',
])('%s takes no longer with several checks at a time than it may take with one', async (fault) => {
  expect(await secondsOf([fault])).toBeLessThan(mostSeconds);
});
