import { shown } from '../core/text.ts';
import { defineTests, type Reported, type Vitest } from '../suites/run/define-tests.ts';
import { openSession } from '../suites/run/open-session.ts';
import { diagnose } from '../targets/doctor/doctor.ts';
import { CannotRun } from './cannot-run.ts';
import { type InPlace, openTarget, type TargetSource } from './open-target.ts';
import { chosenChecks, type Choice } from './chosen-checks.ts';

export type { InPlace, Reported, TargetSource, Vitest };

export type ConformanceOptions = Choice &
  InPlace & {
    /** Draws the same random values as another run with that seed; 1 without it. */
    readonly seed?: number;
    /** Counts a violated should as failed. */
    readonly strict?: boolean;
  };

/**
 * Defines one test for each check in the test file that calls it. The test passes or fails, or is skipped with the reason if
 * the check is blocked, and holds the verdict in `task.meta.awc`. Await it, because it first examines the deployment: it
 * rejects with {@link CannotRun} if that cannot be judged. `vitest` is the module that the caller imports.
 */
export async function conformance(
  vitest: Vitest,
  target: TargetSource,
  options: ConformanceOptions = {},
): Promise<void> {
  const { seed = 1, strict = false } = options;
  const { selected } = await chosenChecks(options);
  const open = await openTarget(target, options);
  vitest.afterAll(open.close);
  const session = openSession({ ...open, seed }, selected);
  const { unusable } = await diagnose(session, open.advise);
  if (unusable !== undefined) throw new CannotRun('unreachable', unusable);
  // The phases run in order, whatever the project configures for its other tests.
  const inOrder = { shuffle: false, concurrent: false };
  vitest.describe(`conformance of ${shown(open.target.name, 100)}`, inOrder, () => {
    defineTests(vitest, selected, session, { strict });
  });
}
