import { virtualClock } from '../core/clock.ts';
import { type Judged, runChecks } from '../suites/run/run-checks.ts';
import { createSession } from '../engine/session/session.ts';
import type { Target } from '../core/target.ts';
import { createReference } from '../reference/reference.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import { suites } from '../suites/index.ts';
import { watches } from '../suites/errors/watches.ts';

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
  const session = createSession({ deployment, target: part(target), clock, seed, watches, restart });
  const judged = await runChecks(
    checks.filter(({ requirement }) => wanted(requirement)),
    session,
  );
  return judged.flatMap(findingOf);
}

function findingOf({ check, verdict }: Judged): Finding[] {
  const common = { check: check.id, requirement: check.requirement };
  switch (verdict.kind) {
    case 'passed':
      return [];
    case 'violated': {
      const kind = check.level === 'must' ? 'failed' : 'warned';
      return [{ ...common, kind, text: `expected ${verdict.expected}; got ${verdict.actual}` }];
    }
    case 'blocked':
    case 'errored':
      return [{ ...common, kind: verdict.kind, text: verdict.reason }];
  }
}
