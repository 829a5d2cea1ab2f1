import type { Target } from '../../core/target.ts';
import { suites } from '../../suites/index.ts';
import type { CheckRecord } from '../../reports/record/record.ts';
import type { Examination } from '../../targets/doctor/examine.ts';
import { type Forecast, forecast } from './forecast.ts';
import { rehearsalWorld } from './rehearsal-world.ts';

/** What a run will send, take and be unable to judge. */
export type Rehearsal = Omit<Forecast, 'blocked'> & {
  readonly checks: number;
  /** Requests that are sent at the most, beyond those counted, until the target refuses one. */
  readonly rateProbeRequests: number;
  /** Checks that cannot be judged, by what would unblock them. */
  readonly blocked: readonly { readonly reason: string; readonly checks: readonly CheckRecord[] }[];
};

type RehearsalOptions = {
  readonly target: Target;
  readonly examination: Examination;
  readonly seed: number;
  /** Whether the deployment can be restarted. */
  readonly canRestart: boolean;
};

/**
 * Forecasts a run of the whole suite on what the examined deployment showed. A real run draws other values, meets other
 * latencies, and may meet faults.
 */
export async function rehearse({ target, examination, seed, canRestart }: RehearsalOptions): Promise<Rehearsal> {
  const { median, p95 } = examination.pulse.latencyMs ?? { median: 0, p95: 0 };
  // How much a quota lets through is not known, so finding it out is no part of the plan, unless it is forbidden.
  const checks = suites.filter(({ phase }) => phase !== 'rateLimit' || !target.allow.has('rateLimit'));
  const like = rehearsalWorld(target, examination);
  const { blocked, ...counted } = await forecast({ target, checks, latencyMs: [median, p95], seed, canRestart, like });
  const byReason = Map.groupBy(blocked, ({ reason = '' }) => reason);
  return {
    ...counted,
    checks: checks.length,
    rateProbeRequests: target.allow.has('rateLimit') ? target.limits.rateProbeRequests : 0,
    blocked: [...byReason].map(([reason, own]) => ({ reason, checks: own })),
  };
}
