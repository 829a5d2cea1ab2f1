import type { Check } from '../engine/check.ts';
import { matchesGlob } from '../core/glob.ts';
import type { DeploymentPlan } from '../targets/open-deployment.ts';

/** What a run is given of time: a check that has not begun when it is over is left out as well. */
export type Budget = {
  readonly ms: number;
  /** The checks that are left out from the start, with the reason: by id. */
  readonly leftOut: Readonly<Record<string, string>>;
};

/** A run, as plain data that can be handed to a worker. */
export type RunPlan = {
  readonly deployment: DeploymentPlan;
  /** From which every random choice of the run follows. */
  readonly seed: number;
  /** Whether a violated should counts as failed. */
  readonly strict: boolean;
  /** Patterns of ids of checks or requirements; none means all. */
  readonly only: readonly string[];
  /** The folder of the vendor's own checks. */
  readonly suites?: string | undefined;
  /** How long the run may take, and what is left out for it. */
  readonly budget?: Budget | undefined;
  /** Whether to look first if the deployment can be judged; the command has done so already. */
  readonly preflight: boolean;
};

/**
 * The checks that the patterns name, by their own id or their requirement's. Without patterns, all. A further check that
 * writes comes along only where the others that are named write the like, or where a pattern names it itself: who asks for a
 * promise about reading wants nothing deleted.
 */
export function selectChecks<Id extends string>(
  checks: readonly Check<Id>[],
  only: readonly string[],
): readonly Check<Id>[] {
  if (only.length === 0) return checks;
  const named = checks.filter(({ id, requirement }) =>
    only.some((pattern) => matchesGlob(pattern, id) || matchesGlob(pattern, requirement)),
  );
  const written = new Set(named.filter(({ further }) => !further).flatMap(({ uses }) => uses));
  return named.filter(({ id, further, uses }) => {
    if (!further || uses.every((effect) => written.has(effect))) return true;
    const plain = id.slice(0, id.lastIndexOf('/'));
    return only.some((pattern) => matchesGlob(pattern, id) && !matchesGlob(pattern, plain));
  });
}
