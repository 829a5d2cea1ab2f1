import { percentileRank } from '../../core/numbers.ts';

/** A distribution: microseconds to three digits, ascending, and how often each occurred. */
export type Latencies = {
  readonly count: number;
  readonly buckets: readonly (readonly [us: number, count: number])[];
};

/** One distribution from several. */
export function sumLatencies(parts: Iterable<Latencies['buckets']>): Latencies {
  const sums = new Map<number, number>();
  let count = 0;
  for (const buckets of parts) {
    for (const [us, times] of buckets) {
      sums.set(us, (sums.get(us) ?? 0) + times);
      count += times;
    }
  }
  return { count, buckets: [...sums].sort(([one], [other]) => one - other) };
}

/** Whether a percentile means anything: whether at least one answer is expected beyond it. */
export function isMeaningful({ count }: { readonly count: number }, share: number): boolean {
  return share === 1 ? count > 0 : count * (1 - share) >= 1 - 1e-6;
}

/** A percentile in milliseconds; `share` is of 1. Undefined where nothing was answered. */
export function latencyMs({ count, buckets }: Latencies, share: number): number | undefined {
  const wanted = percentileRank(share, count);
  let passed = 0;
  for (const [us, times] of buckets) {
    passed += times;
    if (passed >= wanted) return longestOf(us) / 1000;
  }
  return undefined;
}

/** A percentile in milliseconds; undefined where there are too few answers for it to mean anything. */
export function meaningfulMs(latencies: Latencies, share: number): number | undefined {
  return isMeaningful(latencies, share) ? latencyMs(latencies, share) : undefined;
}

/** The longest time in the bucket that begins with this one, as HdrHistogram reports it: a bucket keeps three digits. */
export function longestOf(us: number): number {
  return us + 2 ** Math.max(0, 21 - Math.clz32(us)) - 1;
}
