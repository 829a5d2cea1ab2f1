import type { Check } from '../engine/check.ts';
import type { Exchange } from '../core/exchange.ts';
import { matchesGlob } from '../core/names/glob.ts';
import { areaOf } from '../spec/areas.ts';
import type { DeploymentPlan } from '../targets/open-deployment.ts';

/** A run as plain data for a worker. */
export type RunPlan = {
  readonly deployment: DeploymentPlan;
  /** Determines every random choice of the run. */
  readonly seed: number;
  /** Whether a violated should counts as failed. */
  readonly strict: boolean;
  /** Patterns of ids of checks or requirements, or names of areas; an empty list selects all. */
  readonly only: readonly string[];
  /** The folder of the vendor's own checks. */
  readonly suites?: string | undefined;
  /** When the time of the run is over, in milliseconds since the epoch. */
  readonly endsAt?: number | undefined;
  /** Whether to test first if the deployment can be judged; the command has already done that. */
  readonly preflight: boolean;
  /** Reads that succeeded when the command did that. */
  readonly answered?: readonly Exchange[] | undefined;
};

/**
 * The checks that the patterns select, by their area, their own id or their requirement's id. Without patterns, all.
 * An extended check that writes is selected only if the other selected checks write the same, or if a pattern names it
 * itself: a run of reading checks must delete nothing.
 */
export function selectChecks<Id extends string>(
  checks: readonly Check<Id>[],
  only: readonly string[],
): readonly Check<Id>[] {
  if (only.length === 0) return checks;
  const named = checks.filter(({ id, requirement }) =>
    only.some((pattern) => areaOf(id) === pattern || matchesGlob(pattern, id) || matchesGlob(pattern, requirement)),
  );
  const written = new Set(named.filter(({ extended }) => !extended).flatMap(({ uses }) => uses));
  return named.filter(({ id, extended, uses }) => {
    if (!extended || uses.every((effect) => written.has(effect))) return true;
    const plain = id.slice(0, id.lastIndexOf('/'));
    return only.some((pattern) => matchesGlob(pattern, id) && !matchesGlob(pattern, plain));
  });
}
