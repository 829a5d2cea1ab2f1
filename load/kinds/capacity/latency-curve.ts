import { median } from '../../compare/statistics/median.ts';
import type { CapacityTrial } from './tally.ts';

/** The medians of all trials at one rate. Latencies in milliseconds. */
export type CurvePoint = {
  readonly ratePerSecond: number;
  readonly trials: number;
  /** Trials in which every threshold passed. */
  readonly passed: number;
  /** Trials in which no requirement broke. */
  readonly correct: number;
  readonly throughputPerSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
};

/** The latency-throughput curve, ascending by rate, without trials in which the generator was the bottleneck. */
export function latencyCurve(trials: readonly CapacityTrial[]): readonly CurvePoint[] {
  return pointsOf(trials.filter(({ outcome }) => outcome !== 'generator'));
}

/** The trials that the curve leaves out. */
export function excludedPoints(trials: readonly CapacityTrial[]): readonly CurvePoint[] {
  return pointsOf(trials.filter(({ outcome }) => outcome === 'generator'));
}

function pointsOf(trials: readonly CapacityTrial[]): readonly CurvePoint[] {
  const rates = Map.groupBy(trials, ({ ratePerSecond }) => ratePerSecond);
  return [...rates]
    .map(([ratePerSecond, at]) => ({
      ratePerSecond,
      trials: at.length,
      passed: at.filter(({ outcome }) => outcome === 'held').length,
      correct: at.filter(({ broke }) => broke === undefined).length,
      throughputPerSecond: median(at.map((trial) => trial.throughputPerSecond)),
      p50Ms: median(at.map(({ p50Ms }) => p50Ms)),
      p95Ms: median(at.map(({ p95Ms }) => p95Ms)),
      p99Ms: median(at.map(({ p99Ms }) => p99Ms)),
    }))
    .sort((one, other) => one.ratePerSecond - other.ratePerSecond);
}
