/** For tests: the record of a run in this process and in virtual time, without vitest in between. */
import { virtualClock } from '../core/clock.ts';
import type { Deployment } from '../core/http.ts';
import type { Target } from '../core/target.ts';
import { createReference } from '../reference/reference.ts';
import type { RunRecord } from '../reports/record/record.ts';
import { noWaivers, type Waivers } from '../reports/record/waivers.ts';
import { suites } from '../suites/index.ts';
import { selectChecks } from '../suites/plan.ts';
import { openSession } from '../suites/run/open-session.ts';
import { runSuite } from '../suites/run/run-suite.ts';

type RecordOptions = {
  readonly faults?: readonly string[];
  readonly choices?: Readonly<Record<string, string>>;
  readonly only?: readonly string[];
  readonly waivers?: Waivers;
  /** Puts another deployment, described by another target, in front of the reference. */
  readonly wrap?: (
    reference: Deployment,
    target: Target,
  ) => { readonly deployment: Deployment; readonly target: Target };
};

export async function recordOfReference(options: RecordOptions = {}): Promise<RunRecord> {
  const {
    faults = [],
    choices = {},
    only = [],
    waivers = noWaivers,
    wrap = (deployment, target) => ({ deployment, target }),
  } = options;
  const seed = 1;
  const clock = virtualClock();
  const reference = createReference({ clock, seed, faults, choices });
  const { deployment, target } = wrap(reference.deployment, reference.target);
  const selected = selectChecks(suites, only);
  const session = openSession({ deployment, target, clock, seed, outages: reference.outages }, selected);
  return runSuite(session, selected, { only: [...only], startedAt: 0, waivers });
}
