import { changePoint } from './change-point.ts';
import { median } from './median.ts';
import { memoryFactor } from './memory.ts';

/** A stretch of a series that keeps one level; `from` is its first position. */
export type Level = { readonly from: number; readonly values: readonly number[] };

export type LevelOptions = {
  /** Shorter pieces are not looked at. */
  readonly fewest: number;
  /** What a score has to be above. */
  readonly criticalOf: (values: readonly number[]) => number;
};

/**
 * The series cut at its steps, and each piece again (binary segmentation), as long as a step is clearer than the shuffled
 * values of the piece would make it by luck. Before a score counts it is divided by the memory of the
 * piece: busy weeks are no steps.
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

/** What a level leaves unexplained of its values. */
export function aroundMedian(values: readonly number[]): readonly number[] {
  const middle = median(values);
  return values.map((value) => value - middle);
}
