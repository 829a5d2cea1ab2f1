import { sharesOfPoints } from '../../../reports/load/distribution-record.ts';

/** What two builds are compared by. Percentiles are of latency from the scheduled instant; throughput is answers a second. */
export const figures = ['p50', 'p90', 'p95', 'p99', 'throughput'] as const;
export type Figure = (typeof figures)[number];

/** The share of answers at or below a percentile; undefined for throughput. */
export function shareBelow(figure: Figure): number | undefined {
  return figure === 'throughput' ? undefined : sharesOfPoints[figure];
}

/** One value for each figure. */
export type PerFigure<T> = { readonly [name in Figure]: T };

export function perFigure<T>(valueOf: (figure: Figure) => T): PerFigure<T> {
  return {
    p50: valueOf('p50'),
    p90: valueOf('p90'),
    p95: valueOf('p95'),
    p99: valueOf('p99'),
    throughput: valueOf('throughput'),
  };
}

/**
 * How much worse the second value is, on the logarithmic scale: ln 1.1 for a latency of 110 after 100, and for a
 * throughput of 100 after 110. All tests use this scale, because noise of latencies is multiplicative, and because a
 * ratio and its inverse then count the same.
 */
export function logLoss(figure: Figure, logBefore: number, logAfter: number): number {
  return figure === 'throughput' ? logBefore - logAfter : logAfter - logBefore;
}
