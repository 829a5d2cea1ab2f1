import { median } from './median.ts';

/** A line through a series whose values are one apart. */
export type Line = {
  /** A step of the series. */
  readonly slope: number;
  /** At the first value. */
  readonly start: number;
  /** How clear the direction is, in standard deviations of a series without one. Its sign is the slope's. */
  readonly score: number;
};

/**
 * The Theil–Sen line: the median of the slopes of all pairs, which a quarter of odd runs does not move. Its score is
 * Kendall's S, rising pairs less falling ones, over its standard deviation where order means nothing (the Mann–Kendall
 * test); equal values count as neither, and lessen the deviation.
 */
export function theilSen(values: readonly number[]): Line {
  const n = values.length;
  const slopes: number[] = [];
  let s = 0;
  for (let from = 0; from < n; from += 1) {
    for (let to = from + 1; to < n; to += 1) {
      const rise = (values[to] ?? 0) - (values[from] ?? 0);
      slopes.push(rise / (to - from));
      s += Math.sign(rise);
    }
  }
  const slope = median(slopes);
  const deviation = Math.sqrt((pairs(n) - ties(values)) / 18);
  // One pair more or less is nothing: the continuity correction.
  const score = deviation === 0 ? 0 : (Math.sign(s) * Math.max(0, Math.abs(s) - 1)) / deviation;
  return { slope, start: median(values.map((value, index) => value - slope * index)), score };
}

function pairs(n: number): number {
  return n * (n - 1) * (2 * n + 5);
}

function ties(values: readonly number[]): number {
  const counts = Map.groupBy(values, (value) => value);
  return [...counts.values()].reduce((sum, equal) => sum + pairs(equal.length), 0);
}
