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

/** Whether a share means anything: whether at least one answer is expected beyond it. */
export function isTelling({ count }: Latencies, share: number): boolean {
  return share === 1 ? count > 0 : count * (1 - share) >= 1 - 1e-6;
}

/** The time in milliseconds within which that share of 1 was answered; undefined where nothing was. */
export function latencyMs({ count, buckets }: Latencies, share: number): number | undefined {
  const wanted = Math.max(1, Math.ceil(count * share - 1e-9));
  let passed = 0;
  for (const [us, times] of buckets) {
    passed += times;
    if (passed >= wanted) return longestOf(us) / 1000;
  }
  return undefined;
}

/** The same, undefined also where there are too few answers for that share to mean anything. */
export function tellingMs(latencies: Latencies, share: number): number | undefined {
  return isTelling(latencies, share) ? latencyMs(latencies, share) : undefined;
}

/** The longest time that three digits cannot tell from this one, which is what the points of a distribution are told as. */
function longestOf(us: number): number {
  return us + 2 ** Math.max(0, 21 - Math.clz32(us)) - 1;
}
