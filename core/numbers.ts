/** The sum of the values; 0 of none. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * The rank, from 1, of a percentile among `count` values: the smallest value that `share` of them do not exceed. Every
 * percentile of measured latencies uses this definition (nearest rank).
 */
export function percentileRank(share: number, count: number): number {
  // Rounding noise in the product must not push an exact rank to the next value.
  return Math.max(1, Math.ceil(share * count - 1e-9));
}
