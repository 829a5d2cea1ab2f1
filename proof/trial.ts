import { virtualClock } from '../core/clock.ts';
import type { Target } from '../core/target.ts';
import { createReference } from '../reference/reference.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import { suites } from '../suites/index.ts';
import { openSession } from '../suites/run/open-session.ts';
import { runSuite } from '../suites/run/run-suite.ts';

/** One deployment to try the suite on: the reference with some decisions wrong, and some made in another legal way. */
export type Trial = {
  readonly seed: number;
  readonly faults: readonly string[];
  /** By axis; an axis that is not named keeps the reference's own value. */
  readonly choices: Readonly<Record<string, string>>;
};

/** What a check said other than that it passed. */
export type Finding = {
  readonly check: string;
  readonly requirement: RequirementId;
  readonly kind: 'failed' | 'warned' | 'blocked' | 'errored';
  /** Expected against actual, or the reason. */
  readonly text: string;
};

/**
 * Runs the checks of the requirements that are `wanted`, in virtual time: the same trial gives the same findings. `part`
 * is what is declared of the target.
 */
export async function runTrial(
  { seed, faults, choices }: Trial,
  wanted: (id: RequirementId) => boolean = () => true,
  checks = suites,
  part: (target: Target) => Target = (target) => target,
): Promise<readonly Finding[]> {
  const clock = virtualClock();
  const { deployment, target, restart } = createReference({ clock, seed, faults, choices });
  const chosen = checks.filter(({ requirement }) => wanted(requirement));
  const session = openSession({ deployment, target: part(target), clock, seed, restart }, chosen);
  const record = await runSuite(session, chosen, { atOnce: 1 });
  const requirementOf = new Map(chosen.map(({ id, requirement }) => [id, requirement]));
  return record.checks.flatMap(({ id, verdict, reason, expected, actual }) => {
    const requirement = requirementOf.get(id);
    if (verdict === 'passed' || requirement === undefined) return [];
    return [{ check: id, requirement, kind: verdict, text: reason ?? `expected ${expected}; got ${actual}` }];
  });
}
