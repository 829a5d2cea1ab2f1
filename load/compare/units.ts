import { percentileRank } from '../../core/numbers.ts';
import { type Figure, perFigure, type PerFigure, shareBelow } from './render/figure.ts';
import type { Block } from './trial.ts';

/**
 * What a bootstrap draws from: trials, or stretches of one trial. Each unit keeps its latencies as a running count over
 * one grid of latencies, so that a percentile of any weighted mixture of units is a binary search over the grid, without
 * merging histograms: thousands of draws cost milliseconds.
 */
export type Units = {
  readonly size: number;
  /** Ascending, in microseconds. */
  readonly gridUs: Float64Array;
  /**
   * How many answers of a unit took at most as long as a point of the grid, at [point × size + unit], so that a
   * search reads neighbouring numbers.
   */
  readonly running: Float64Array;
  /** For each unit, the answers that count as throughput. */
  readonly answers: readonly number[];
  readonly seconds: readonly number[];
};

/** How often each unit is taken; whole numbers. */
export type Weights = Float64Array;

/** Each list of blocks becomes one unit. */
export function unitsOf(groups: readonly (readonly Block[])[]): Units {
  const latencies = groups.flatMap((blocks) => blocks.flatMap(({ latency }) => latency.map(([us]) => us)));
  const gridUs = Float64Array.from(new Set(latencies)).sort();
  return {
    size: groups.length,
    gridUs,
    running: runningCounts(groups, gridUs),
    answers: groups.map((blocks) => blocks.reduce((sum, block) => sum + block.answers, 0)),
    seconds: groups.map((blocks) => blocks.reduce((sum, block) => sum + block.durationMs / 1000, 0)),
  };
}

/** Each unit once. */
export function everyUnit({ size }: Units): Weights {
  return new Float64Array(size).fill(1);
}

/** How many answers each unit had whose latency is at most one of the grid. */
export function answersWithin({ gridUs, running, size }: Units, us: number): readonly number[] {
  const point = gridUs.findLastIndex((each) => each <= us);
  return Array.from({ length: size }, (_, unit) => (point < 0 ? 0 : (running[point * size + unit] ?? 0)));
}

/** The natural logarithm of each figure over the weighted units: of microseconds, and of answers a second. */
export function logFigures(units: Units, weights: Weights): PerFigure<number> {
  return perFigure((figure) => logFigure(units, weights, figure));
}

/**
 * Half an answer is added to every count of answers. Otherwise a build without answers would have no logarithm, and a total
 * failure could not be detected.
 */
export function logFigure(units: Units, weights: Weights, figure: Figure): number {
  const share = shareBelow(figure);
  if (share !== undefined) return Math.log(Math.max(1, percentileUs(units, weights, share)));
  return Math.log((weighted(units.answers, weights) + 0.5) / weighted(units.seconds, weights));
}

export function figureOf(units: Units, weights: Weights, figure: Figure): number {
  const share = shareBelow(figure);
  if (share !== undefined) return percentileUs(units, weights, share);
  return weighted(units.answers, weights) / weighted(units.seconds, weights);
}

/** The smallest latency that a share of the answers did not exceed; NaN without answers. */
function percentileUs(units: Units, weights: Weights, share: number): number {
  const last = units.gridUs.length - 1;
  const total = atMost(units, weights, last);
  if (total === 0) return NaN;
  const rank = percentileRank(share, total);
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (atMost(units, weights, middle) >= rank) high = middle;
    else low = middle + 1;
  }
  return units.gridUs[low] ?? NaN;
}

/** How many answers of the weighted units took at most as long as a point of the grid. */
function atMost({ running, size }: Units, weights: Weights, point: number): number {
  let sum = 0;
  const start = point * size;
  for (let unit = 0; unit < size; unit += 1) sum += (weights[unit] ?? 0) * (running[start + unit] ?? 0);
  return sum;
}

function weighted(values: readonly number[], weights: Weights): number {
  return values.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0);
}

function runningCounts(groups: readonly (readonly Block[])[], gridUs: Float64Array): Float64Array {
  const size = groups.length;
  const points = new Map<number, number>();
  gridUs.forEach((us, index) => points.set(us, index));
  const counts = new Float64Array(gridUs.length * size);
  for (const [unit, blocks] of groups.entries()) {
    for (const { latency } of blocks) {
      for (const [us, count] of latency) {
        const place = (points.get(us) ?? 0) * size + unit;
        counts[place] = (counts[place] ?? 0) + count;
      }
    }
  }
  for (let place = size; place < counts.length; place += 1) {
    counts[place] = (counts[place] ?? 0) + (counts[place - size] ?? 0);
  }
  return counts;
}
