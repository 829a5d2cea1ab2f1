import { shuffle } from './draw.ts';

/** A step needs this many runs on either side: one or two odd runs are not a step. */
export const fewestBeside = 3;

/** Shuffles that the critical score is taken from. */
const shuffles = 1200;

/** The place where a series most looks as if it changed its level. */
export type ChangePoint = {
  /** The first value of the new level. */
  readonly at: number;
  /** The difference of the levels, in its standard errors. */
  readonly score: number;
};

/**
 * The place where the values before and after differ most, relative to their own variation: the largest Student's t.
 *
 *   value   ●   ●●            ●  ●
 *          ● ●●    ●       ●●  ●●●        t = difference of the means / its standard error
 *                      │
 *                      at
 *
 * Ranks instead of values (Pettitt's test) would not react to outliers. But the ranks of four runs among twenty never differ
 * significantly from chance, and a change among the latest runs matters most.
 */
export function changePoint(values: ArrayLike<number>): ChangePoint {
  const n = values.length;
  let total = 0;
  let squares = 0;
  for (let index = 0; index < n; index += 1) {
    const value = values[index] ?? 0;
    total += value;
    squares += value * value;
  }
  let best: ChangePoint = { at: 0, score: 0 };
  let sum = 0;
  for (let before = 1; before <= n - fewestBeside; before += 1) {
    sum += values[before - 1] ?? 0;
    if (before < fewestBeside) continue;
    const after = n - before;
    const difference = (total - sum) / after - sum / before;
    const within = Math.max(0, squares - sum ** 2 / before - (total - sum) ** 2 / after);
    const error = Math.sqrt((within / (n - 2)) * (1 / before + 1 / after));
    const score = difference === 0 ? 0 : Math.abs(difference) / error;
    if (score > best.score) best = { at: before, score };
  }
  return best;
}

/**
 * The score that these values exceed with probability `error` if their order means nothing, from shuffled values. This
 * accounts for the search over all places, and for outliers: a single huge value is at the edge as often as anywhere.
 */
export function criticalScore(values: readonly number[], error: number, random: () => number): number {
  const order = Float64Array.from(values);
  const scores = Array.from({ length: shuffles }, () => {
    shuffle(order, random);
    return changePoint(order).score;
  }).sort((one, other) => other - one);
  return scores[Math.max(0, Math.floor(error * shuffles) - 1)] ?? Infinity;
}
