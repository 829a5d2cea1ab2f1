import type { TimePoint } from '../time-series.ts';

/** A count of a stretch of time as a rate. */
export function perSecond(count: number, { fromMs, toMs }: TimePoint): number {
  return count / Math.max(0.001, (toMs - fromMs) / 1000);
}
