import type { Check } from '../engine/check.ts';
import type { Clock } from '../core/clock.ts';
import type { Exchange } from '../core/exchange.ts';
import { matchesGlob } from '../core/names/glob.ts';
import { areaOf } from '../spec/areas.ts';
import type { DeploymentPlan } from '../targets/open-deployment.ts';

/** The time limit of a run. A check that has not started by then is left out. */
export type Budget = {
  readonly ms: number;
  /** When this time began, in milliseconds since the epoch; undefined if it begins with the checks. */
  readonly since?: number | undefined;
  /** The reasons of the checks that are left out from the start, by check id. */
  readonly leftOut: Readonly<Record<string, string>>;
};

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
  /** The time limit, and the checks that are left out because of it. */
  readonly budget?: Budget | undefined;
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

/** How long a check may go on after the budget is over, in milliseconds, and one of the phase `last`, which comes after all others. */
const graceMs = { usual: 1000, last: 2500 } as const;

/** The same budget with the time that is left of it: starting the tests took a part. */
export function leftOf(budget: Budget): Budget {
  const { ms, since = Date.now() } = budget;
  return { ...budget, ms: Math.max(0, ms - (Date.now() - since)) };
}

/** Resolves when checks that are still running must end, those of the phase `last` or the others. */
export function endOf({ ms }: Budget, phase: keyof typeof graceMs): Promise<string> {
  const over = AbortSignal.timeout(Math.round(ms) + graceMs[phase]);
  const reason = 'not finished: the time of the budget was over';
  return new Promise((resolve) => over.addEventListener('abort', () => resolve(reason), { once: true }));
}

/** Why a check is left out when its turn comes; the time starts now. Checks of the phase `last` take hardly any time and always run. */
export function leftOutFor({ ms, leftOut }: Budget, clock: Clock): (check: Check<string>) => string | undefined {
  const endsAt = clock.now() + ms;
  return ({ id, phase }) => {
    if (Object.hasOwn(leftOut, id)) return leftOut[id];
    return phase === 'last' || clock.now() < endsAt
      ? undefined
      : 'left out: the time of the budget was over before its turn came';
  };
}
