import { shown } from '../core/text.ts';
import { defineTests, type Reported as Told, type Vitest } from '../suites/run/define-tests.ts';
import { openSession } from '../suites/run/open-session.ts';
import { diagnose } from '../targets/doctor/doctor.ts';
import { CannotRun } from './cannot-run.ts';
import { type InPlace, openTarget, type TargetSource } from './open-target.ts';
import { chosenChecks, type Choice } from './chosen-checks.ts';

export type { InPlace, TargetSource, Told, Vitest };

export type ConformanceOptions = Choice &
  InPlace & {
    /** Draws the same random values as another run with that seed; 1 without it. */
    readonly seed?: number;
    /** Counts a violated should as failed. */
    readonly strict?: boolean;
  };

/**
 * Defines the suite's tests in the test file that calls it, one a check: it passes, fails, or is skipped with its reason
 * where the check is blocked, and has the verdict in `task.meta.awc`. To be awaited, because the deployment is looked at
 * first: rejects with {@link CannotRun} when it cannot be judged. `vitest` is the module that the caller imports.
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
  const { unusable } = await diagnose(session);
  if (unusable !== undefined) throw new CannotRun('unreachable', unusable);
  // The phases have their order, whatever the project has for its other tests.
  const inOrder = { shuffle: false, concurrent: false };
  vitest.describe(`conformance of ${shown(open.target.name, 100)}`, inOrder, () => {
    defineTests(vitest, selected, session, { strict });
  });
}
