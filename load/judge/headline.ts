import { latencyFigure } from '../../reports/text/figures.ts';
import { leastCount, pointOf } from '../measure/distribution.ts';
import type { TimeHistogram } from '../measure/histogram.ts';
import { countOf, type Measured, throughputOf, timesOf } from './measured.ts';

/** Latency and rate, as most kinds of load sum them up. */
export function latencyHeadline(measured: Measured): string {
  const { operations } = measured;
  const times = timesOf(operations, 'latency');
  if (times.totalCount > 0) return `${latencyText(times)} at ${trimmed(throughputOf(measured))} req/s`;
  return countOf(operations, () => true) === 0 ? 'nothing was measured' : 'nothing succeeded';
}

/** The highest percentile that there are enough answers for, as the tables show it. */
export function latencyText(times: TimeHistogram): string {
  const point = (['p99', 'p95', 'p50'] as const).find((one) => times.totalCount >= leastCount(one)) ?? 'max';
  return `${point} ${latencyFigure(pointOf(times, point))} ms`;
}

/** To three digits, because the measurement is no more precise. */
export function trimmed(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}
