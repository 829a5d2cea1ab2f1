import type { LoadRecord } from '../../reports/load/load-record.ts';
import { isError } from '../measure/outcome.ts';
import { incompleteBeta } from './statistics/incomplete-beta.ts';

/** The probability of a false alarm: a build is said to fail more often although it does not. */
const failureError = 0.001;

/** The number of slices in which at least one request failed. */
export type FailedSlices = { readonly failed: number; readonly of: number };

/** Counts slices, not requests: a short outage fails many requests at once. */
export function failedSlices(records: readonly Pick<LoadRecord, 'slices' | 'profile'>[]): FailedSlices {
  let failed = 0;
  let of = 0;
  for (const { slices, profile } of records) {
    for (const { classes } of slices) {
      of += 1;
      const { rateLimited = 0, refused = 0, failed: broken = 0, timeout = 0, transport = 0 } = classes;
      const limited = isError('rateLimited', profile.rateLimitedIsError) ? rateLimited : 0;
      if (refused + broken + timeout + transport + limited > 0) failed += 1;
    }
  }
  return { failed, of };
}

/**
 * Whether B fails more often than A. If both failed equally often, the probability that a failed slice is of B would be the share
 * of B in all slices. The upper tail of a binomial distribution is then the probability of this many failed slices of B, or more.
 */
export function failsMoreOften(a: FailedSlices, b: FailedSlices): boolean {
  if (b.failed === 0) return false;
  const share = b.of / (a.of + b.of);
  return incompleteBeta(share, b.failed, a.failed + 1) < failureError;
}
