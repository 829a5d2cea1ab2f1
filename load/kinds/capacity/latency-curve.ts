import { median } from '../../compare/statistics/median.ts';
import type { CapacityTrial } from './capacity-trial.ts';

/** What a rate gave, over all its trials: medians. Latencies in milliseconds. */
export type CurvePoint = {
  readonly ratePerSecond: number;
  readonly trials: number;
  readonly held: number;
  readonly throughputPerSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
};

/** The latency-throughput curve, ascending by rate, without trials that the generator spoilt. */
export function latencyCurve(trials: readonly CapacityTrial[]): readonly CurvePoint[] {
  const rates = Map.groupBy(
    trials.filter(({ outcome }) => outcome !== 'generator'),
    ({ ratePerSecond }) => ratePerSecond,
  );
  return [...rates]
    .map(([ratePerSecond, at]) => ({
      ratePerSecond,
      trials: at.length,
      held: at.filter(({ outcome }) => outcome === 'held').length,
      throughputPerSecond: median(at.map((trial) => trial.throughputPerSecond)),
      p50Ms: median(at.map(({ p50Ms }) => p50Ms)),
      p95Ms: median(at.map(({ p95Ms }) => p95Ms)),
      p99Ms: median(at.map(({ p99Ms }) => p99Ms)),
    }))
    .sort((one, other) => one.ratePerSecond - other.ratePerSecond);
}
