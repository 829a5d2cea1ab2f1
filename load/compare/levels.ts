import { changePoint, criticalScore } from './change-point.ts';
import { median } from './median.ts';
import { memoryFactor } from './memory.ts';

/** A stretch of a series that keeps one level; `from` is its first position. */
export type Level = { readonly from: number; readonly values: readonly number[] };

/**
 * The series cut at its steps, and each piece again (binary segmentation), as long as a step is clearer than the shuffled
 * values of the piece would make it with probability `error`. Before a score counts it is divided by the memory of the
 * piece: busy weeks are no steps.
 */
export function levelsOf(
  values: readonly number[],
  fewest: number,
  error: number,
  random: () => number,
  from = 0,
): readonly Level[] {
  const whole = [{ from, values }];
  if (values.length < fewest) return whole;
  const { at, score } = changePoint(values);
  const [before, after] = [values.slice(0, at), values.slice(at)];
  const memory = memoryFactor([...aroundMedian(before), ...aroundMedian(after)]);
  if (score / memory <= criticalScore(values, error, random)) return whole;
  return [...levelsOf(before, fewest, error, random, from), ...levelsOf(after, fewest, error, random, from + at)];
}

/** What a level leaves unexplained of its values. */
export function aroundMedian(values: readonly number[]): readonly number[] {
  const middle = median(values);
  return values.map((value) => value - middle);
}
