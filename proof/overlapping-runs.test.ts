import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import { runChecks } from '../testing/run-checks.ts';
import { createSession } from '../engine/session/session.ts';
import { createReference } from '../reference/reference.ts';
import { suites } from '../suites/index.ts';
import { invariants } from '../suites/errors/invariants.ts';

/** What two runs on one deployment, the second begun later, accuse it of in the last and longest part of each. */
async function accusedOfLimits(delayMs: number): Promise<readonly string[]> {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const run = async (seed: number, afterMs: number): Promise<readonly string[]> => {
    await clock.sleep(afterMs);
    const session = createSession({ deployment, target, clock, seed, invariants });
    const judged = await runChecks(suites, session);
    return judged.flatMap(({ check, verdict }) => (verdict.kind === 'violated' ? [`run ${seed}: ${check.id}`] : []));
  };
  const accused = await Promise.all([run(1, 0), run(2, delayMs)]);
  return accused.flat().filter((line) => line.includes(': rate.'));
}

// Begun at some other times, the other run has left the chat before anybody looks for it, and is not found.
test.each([1, 9200])('what another run does, begun %s ms later, is no effect of a refusal', async (delayMs) => {
  expect(await accusedOfLimits(delayMs)).toEqual([]);
});
