import { type Clock, virtualClock } from '../core/clock.ts';
import type { Deployment } from '../core/http.ts';
import type { Target } from '../core/target.ts';
import type { Check } from '../engine/check.ts';
import { createReference } from '../reference/reference.ts';
import { suites } from '../suites/index.ts';
import { openSession } from '../suites/run/open-session.ts';
import { runSuite } from '../suites/run/run-suite.ts';

/** One deployment to judge: the reference with some decisions wrong, and some made in another legal way. */
export type Trial = {
  readonly seed: number;
  readonly faults: readonly string[];
  /** By axis; an axis that is not named keeps the reference's own value. */
  readonly choices: Readonly<Record<string, string>>;
};

/** How long a trial took in virtual time. */
export type TimedTrial = { readonly trial: Trial; readonly seconds: number };

/** What a check says, other than that it passed. */
export type Finding = {
  /** The check; under load, the requirement. */
  readonly check: string;
  readonly requirement: string;
  readonly kind: 'failed' | 'warned' | 'blocked' | 'errored';
  /** Expected against actual, or the reason. */
  readonly text: string;
};

export type TrialOptions = {
  /** All of the suite's, where none are named. */
  readonly checks?: readonly Check[] | undefined;
  /** What the target file declares of all that there is. */
  readonly part?: ((target: Target) => Target) | undefined;
  /** What stands between the suite and the deployment. */
  readonly through?: (deployment: Deployment, clock: Clock, target: Target) => Deployment;
};

/** What came of a trial, and how long it took in virtual time. */
export type TrialResult = { readonly findings: readonly Finding[]; readonly seconds: number };

/** The findings of a trial. */
export async function runTrial(trial: Trial, options: TrialOptions = {}): Promise<readonly Finding[]> {
  return (await timeTrial(trial, options)).findings;
}

/** Runs checks on a deployment in virtual time, one at a time: the same trial gives the same result. */
export async function timeTrial(trial: Trial, options: TrialOptions = {}): Promise<TrialResult> {
  const { checks = suites, part = (target) => target, through = (deployment) => deployment } = options;
  const clock = virtualClock();
  const { seed } = trial;
  const { deployment, target, outages } = createReference({ clock, ...trial });
  const opened = { deployment: through(deployment, clock, target), target: part(target), clock, seed, outages };
  const record = await runSuite(openSession(opened, checks), checks, { atOnce: 1, observed: false });
  const requirementOf = new Map<string, string>(checks.map(({ id, requirement }) => [id, requirement]));
  const findings = record.checks.flatMap(({ id, verdict, reason, expected, actual }): readonly Finding[] => {
    if (verdict === 'passed') return [];
    const text = reason ?? `expected ${expected}; got ${actual}`;
    return [{ check: id, requirement: requirementOf.get(id) ?? id, kind: verdict, text }];
  });
  return { findings, seconds: record.durationMs / 1000 };
}

/** The suite's checks of one requirement. */
export function checksOf(requirement: string): readonly Check[] {
  return suites.filter((check) => check.requirement === requirement);
}
