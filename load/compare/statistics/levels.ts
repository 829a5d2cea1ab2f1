import { changePoint } from './change-point.ts';
import { median } from './median.ts';
import { memoryFactor } from './memory.ts';

/** A stretch of a series that keeps one level; `from` is its first position. */
export type Level = { readonly from: number; readonly values: readonly number[] };

export type LevelOptions = {
  /** Shorter pieces are not divided. */
  readonly fewest: number;
  /** The score that a step has to exceed. */
  readonly criticalOf: (values: readonly number[]) => number;
};

/**
 * Cuts the series at its steps, and each piece again (binary segmentation), while a step scores higher than shuffled values
 * of the piece would by chance. Each score is first divided by the memory of the piece, so that busy weeks are not steps.
 */
export function levelsOf(values: readonly number[], options: LevelOptions, from = 0): readonly Level[] {
  const whole = [{ from, values }];
  const { fewest, criticalOf } = options;
  if (values.length < fewest) return whole;
  const { at, score } = changePoint(values);
  const [before, after] = [values.slice(0, at), values.slice(at)];
  const memory = memoryFactor([...aroundMedian(before), ...aroundMedian(after)]);
  if (score / memory <= criticalOf(values)) return whole;
  return [...levelsOf(before, options, from), ...levelsOf(after, options, from + at)];
}

/** The residuals around the median. */
export function aroundMedian(values: readonly number[]): readonly number[] {
  const middle = median(values);
  return values.map((value) => value - middle);
}
