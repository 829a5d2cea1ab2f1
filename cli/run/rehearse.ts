import { suites } from '../../suites/index.ts';
import type { CheckRecord } from '../../reports/record/record.ts';
import type { Examination } from '../../targets/doctor/examine.ts';
import { type Forecast, forecast, type ForecastOptions } from './forecast.ts';
import { rehearsalWorld } from './rehearsal-world.ts';

/** A forecast of the requests, the duration and the blocked checks of a run. */
export type Rehearsal = Omit<Forecast, 'blocked'> & {
  readonly checks: number;
  /** The checks that a forecast leaves out. */
  readonly leftOut: number;
  /** The most additional requests until the target refuses one. */
  readonly rateProbeRequests: number;
  /** Checks that cannot be judged, by reason. */
  readonly blocked: readonly { readonly reason: string; readonly checks: readonly CheckRecord[] }[];
};

type RehearsalOptions = Pick<ForecastOptions, 'target' | 'seed' | 'outages'> & { readonly examination: Examination };

/**
 * Forecasts a run of the whole suite on the data of the examined deployment. A real run draws other values, has other
 * latencies, and may find faults.
 */
export async function rehearse({ target, examination, seed, outages }: RehearsalOptions): Promise<Rehearsal> {
  const { median, p95 } = examination.pulse.latencyMs ?? { median: 0, p95: 0 };
  // The quota is unknown, so the forecast leaves out the rate probe. If it is forbidden, its checks show why they are blocked.
  const checks = suites.filter(
    ({ phase, uses }) => !target.allow.has('rateLimit') || (phase !== 'rateLimit' && !uses.includes('rateLimit')),
  );
  const withoutProbe = { ...target, allow: new Set([...target.allow].filter((effect) => effect !== 'rateLimit')) };
  const like = rehearsalWorld(target, examination);
  const { blocked, ...counted } = await forecast({
    target: withoutProbe,
    checks,
    latencyMs: [median, p95],
    seed,
    outages,
    like,
  });
  const byReason = Map.groupBy(blocked, ({ reason = '' }) => reason);
  return {
    ...counted,
    checks: checks.length,
    leftOut: suites.length - checks.length,
    rateProbeRequests: target.allow.has('rateLimit') ? target.limits.rateProbeRequests : 0,
    blocked: [...byReason].map(([reason, own]) => ({ reason, checks: own })),
  };
}
