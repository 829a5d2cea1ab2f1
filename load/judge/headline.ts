import { pointOf } from '../measure/distribution.ts';
import { countOf, type Measured, throughputOf, timesOf } from './measured.ts';

/** Latency and rate, as most kinds of load sum them up. */
export function latencyHeadline(measured: Measured): string {
  const { operations } = measured;
  const times = timesOf(operations, 'latency');
  if (times.totalCount > 0)
    return `p99 ${trimmed(pointOf(times, 'p99'))} ms at ${trimmed(throughputOf(measured))} req/s`;
  return countOf(operations, () => true) === 0 ? 'nothing was measured' : 'nothing succeeded';
}

/** To three digits, because the measurement is no more precise. */
export function trimmed(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}
