import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import { createSession } from '../engine/session/session.ts';
import { createReference } from '../reference/reference.ts';
import { suites } from '../suites/index.ts';
import { runSuite } from '../suites/run/run-suite.ts';

/** Which keys are spoiled follows from the seed: with some, several long waits follow each other. */
const seed = 2;

/** How long a run with eight checks at a time takes, in seconds. */
async function secondsOf(quota: string, faults: readonly string[]): Promise<number> {
  const clock = virtualClock();
  const startedAt = clock.now();
  const { deployment, target, outages } = createReference({ clock, seed, faults, choices: { 'rate-quota': quota } });
  const session = createSession({ deployment, target, clock, seed, invariants: [], outages });
  await runSuite(session, suites, { atOnce: 8, observed: false });
  return (clock.now() - startedAt) / 1000;
}

test('a run with keys that a 429 spoils ends in time, also where messages meet the limit often', async () => {
  const spoiled = await secondsOf('20-in-1s', ['limited-key-stays-limited']);
  expect(spoiled).toBeLessThan(2 * (await secondsOf('20-in-1s', [])) + 30);
});
