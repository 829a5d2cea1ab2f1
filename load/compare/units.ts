import { type Figure, perFigure, type PerFigure, shareBelow } from './figure.ts';
import type { Block } from './trial.ts';

/**
 * What a bootstrap draws from: trials, or stretches of one trial. Each unit keeps its latencies as a running count over
 * one grid of latencies, so that a percentile of any weighted mixture of units is a binary search over the grid, without
 * merging histograms: thousands of draws cost milliseconds.
 */
export type Units = {
  /** Ascending, in microseconds. */
  readonly gridUs: Float64Array;
  /** For each unit, how many answers took at most as long as each point of the grid. */
  readonly running: readonly Float64Array[];
  /** For each unit, the answers that count as throughput. */
  readonly answers: readonly number[];
  readonly seconds: readonly number[];
};

/** How often each unit is taken; whole numbers. */
export type Weights = readonly number[];

/** Each list of blocks becomes one unit. */
export function unitsOf(groups: readonly (readonly Block[])[]): Units {
  const latencies = new Set<number>();
  for (const blocks of groups) for (const { latency } of blocks) latency.latenciesUs.forEach((us) => latencies.add(us));
  const gridUs = Float64Array.from(latencies).sort();
  const positions = new Map(Array.from(gridUs, (us, index) => [us, index]));
  return {
    gridUs,
    running: groups.map((blocks) => runningCounts(blocks, positions)),
    answers: groups.map((blocks) => blocks.reduce((sum, block) => sum + block.answers, 0)),
    seconds: groups.map((blocks) => blocks.reduce((sum, block) => sum + block.durationMs / 1000, 0)),
  };
}

/** The natural logarithm of each figure over the weighted units: of microseconds, and of answers a second. */
export function logFigures(units: Units, weights: Weights): PerFigure<number> {
  return perFigure((figure) => logFigure(units, weights, figure));
}

/**
 * A build that answered nothing still has a logarithm, far below that of one that answered: half an answer is added to
 * every count of answers, or total failure would be a ratio of nothing, and could not be told.
 */
export function logFigure(units: Units, weights: Weights, figure: Figure): number {
  const share = shareBelow(figure);
  if (share !== undefined) return Math.log(Math.max(1, percentileUs(units, weights, share)));
  return Math.log((weighted(units.answers, weights) + 0.5) / weighted(units.seconds, weights));
}

/** Each unit once. */
export function everyUnit({ running }: Units): Weights {
  return running.map(() => 1);
}

/** How many answers of all units together had their latency taken. */
export function latencyTotal({ running }: Units): number {
  return running.reduce((sum, counts) => sum + (counts.at(-1) ?? 0), 0);
}

export function figureOf(units: Units, weights: Weights, figure: Figure): number {
  const share = shareBelow(figure);
  if (share !== undefined) return percentileUs(units, weights, share);
  return weighted(units.answers, weights) / weighted(units.seconds, weights);
}

/** The smallest latency that a share of the answers did not exceed; NaN without answers. */
function percentileUs({ gridUs, running }: Units, weights: Weights, share: number): number {
  const last = gridUs.length - 1;
  const total = atMost(running, weights, last);
  if (total === 0) return NaN;
  // Rounding noise in the product must not push an exact rank to the next answer.
  const rank = Math.max(1, Math.ceil(share * total - 1e-9));
  let low = 0;
  let high = last;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (atMost(running, weights, middle) >= rank) high = middle;
    else low = middle + 1;
  }
  return gridUs[low] ?? NaN;
}

/** How many answers of the weighted units took at most as long as a point of the grid. */
function atMost(running: readonly Float64Array[], weights: Weights, position: number): number {
  let sum = 0;
  for (let unit = 0; unit < running.length; unit += 1) {
    const weight = weights[unit] ?? 0;
    if (weight !== 0) sum += weight * (running[unit]?.[position] ?? 0);
  }
  return sum;
}

function weighted(values: readonly number[], weights: Weights): number {
  return values.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0);
}

function runningCounts(blocks: readonly Block[], positions: ReadonlyMap<number, number>): Float64Array {
  const counts = new Float64Array(positions.size);
  for (const { latency } of blocks) {
    for (const [index, us] of latency.latenciesUs.entries()) {
      const position = positions.get(us) ?? 0;
      counts[position] = (counts[position] ?? 0) + (latency.counts[index] ?? 0);
    }
  }
  let sum = 0;
  return counts.map((count) => (sum += count));
}
