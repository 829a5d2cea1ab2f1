import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import { runChecks } from '../testing/run-checks.ts';
import { createSession } from '../engine/session/session.ts';
import { createReference } from '../reference/reference.ts';
import { suites } from '../suites/index.ts';
import { invariants } from '../suites/errors/invariants.ts';

/** What two runs on one deployment, the second begun later, accuse it of. */
async function accused(delayMs: number): Promise<readonly string[]> {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const run = async (seed: number, afterMs: number): Promise<readonly string[]> => {
    await clock.sleep(afterMs);
    const session = createSession({ deployment, target, clock, seed, invariants });
    const judged = await runChecks(suites, session);
    return judged.flatMap(({ check, verdict }) => (verdict.kind === 'violated' ? [`run ${seed}: ${check.id}`] : []));
  };
  return (await Promise.all([run(1, 0), run(2, delayMs)])).flat();
}

// Begun at some other times, the other run attaches while this one counts, or writes to a chat before this run knows of other traffic.
test.each([1, 4400, 7600, 8200, 8400, 8800, 9200, 12_000])(
  'what another run does, begun %s ms later, is no violation',
  async (delayMs) => {
    expect(await accused(delayMs)).toEqual([]);
  },
);
