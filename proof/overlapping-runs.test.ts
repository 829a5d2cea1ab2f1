import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import { openSession } from '../suites/run/open-session.ts';
import { runSuite } from '../suites/run/run-suite.ts';
import { createReference } from '../reference/reference.ts';
import { suites } from '../suites/index.ts';

/** The organization that a refused attachment names may be one that the other run attaches at that time. */
const known = 'attach.refused-no-effect/limited';

/** What two runs on one deployment, the second begun later, accuse it of. */
async function accused(delayMs: number, atOnce: number): Promise<readonly string[]> {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const run = async (seed: number, afterMs: number): Promise<readonly string[]> => {
    await clock.sleep(afterMs);
    const session = openSession({ deployment, target, clock, seed, outages: {} }, suites);
    const { checks } = await runSuite(session, suites, { atOnce, observed: false });
    return checks.flatMap(({ id, verdict }) => (verdict === 'failed' && id !== known ? [`run ${seed}: ${id}`] : []));
  };
  return (await Promise.all([run(1, 0), run(2, delayMs)])).flat();
}

// Begun at some other times, the other run attaches while this one counts, or writes to a chat before this run knows of other traffic.
test.each([
  ...[1, 4400, 7600, 8200, 8400, 8800, 9200, 12_000].map((delayMs) => ({ delayMs, atOnce: 1 })),
  ...[1, 6, 1600, 3200, 5000, 8000, 10_000, 17_000, 20_000, 23_000].map((delayMs) => ({ delayMs, atOnce: 8 })),
])(
  'what another run does, begun $delayMs ms later, is no violation for a run of $atOnce checks at once',
  async ({ delayMs, atOnce }) => {
    expect(await accused(delayMs, atOnce)).toEqual([]);
  },
);
