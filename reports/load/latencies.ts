/** How often each time occurred: microseconds to three digits, ascending. */
export type Latencies = {
  readonly count: number;
  readonly buckets: readonly (readonly [us: number, count: number])[];
};

/** All of them in one. */
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

/** The time in milliseconds within which that share of 1 was answered; undefined where nothing was. */
export function latencyMs({ count, buckets }: Latencies, share: number): number | undefined {
  const wanted = Math.max(1, Math.ceil(count * share - 1e-9));
  let passed = 0;
  for (const [us, times] of buckets) {
    passed += times;
    if (passed >= wanted) return us / 1000;
  }
  return undefined;
}
