import { criticalScore, fewestBeside } from './statistics/change-point.ts';
import { statedPower } from './comparison.ts';
import { type Figure, figures, logLoss, perFigure, type PerFigure } from './render/figure.ts';
import type { HistoryRun } from './history.ts';
import { aroundMedian, levelsOf } from './statistics/levels.ts';
import { median } from './statistics/median.ts';
import { memoryFactor } from './statistics/memory.ts';
import { deviation, type Spread } from './statistics/spread.ts';
import { normalQuantile, studentQuantile } from './statistics/student.ts';
import { theilSen } from './statistics/theil-sen.ts';

/** Fewer runs than this have no trend. */
export const fewestRuns = 10;

/** Only this many of the latest runs are used. */
const mostRuns = 120;

/** The number of runs that `detectable` refers to. */
const runsToSee = 5;

/**
 * - `step`: the level changed with one run, and stayed.
 * - `drift`: it moves a little with each.
 * - `steady`: neither is shown; `detectable` is the step, as a share, that five runs would have shown.
 * Ratios are of the figure itself, after over before: 1.1 for a latency is worse, for a throughput better.
 */
export type Movement =
  | { readonly kind: 'step'; readonly at: number; readonly ratio: number; readonly low: number; readonly high: number }
  | { readonly kind: 'drift'; readonly ratioPerRun: number; readonly ratio: number }
  | { readonly kind: 'steady'; readonly detectable: number }
  | { readonly kind: 'too-few' };

export type FigureTrend = {
  readonly figure: Figure;
  /** Latencies in microseconds, throughput in answers a second. */
  readonly latest: number;
  /** The last step, or the drift of all runs. Positions count the runs that were given, from 0. */
  readonly movement: Movement;
  readonly direction: 'worse' | 'better' | 'none';
  /** How runs vary around their level; undefined while there are too few. */
  readonly runToRun: Spread | undefined;
};

/**
 * What a series of runs, oldest first, shows for each figure: the levels that it kept, or the line that it follows if that
 * leaves less unexplained. All figures and both tests share one probability of error.
 *
 * In simulated histories without any change, 1 in 100 shows a trend if runs are independent, 3 to 5 if each run keeps 0.3
 * of the one before, and up to 14 if it keeps 0.6. So a trend is a reason to investigate, and an interleaved comparison
 * decides. A step of 15% is detected in most histories of 30 runs that vary by 6%, and in all of 60 runs; a step of 25%
 * in the latest five runs about as often.
 */
export function trend(runs: readonly HistoryRun[], random: () => number): readonly FigureTrend[] {
  const recent = runs.slice(-mostRuns);
  const offset = runs.length - recent.length;
  return figures.map((figure) => {
    const losses = recent.map((run) => logLoss(figure, 0, Math.log(run.figures[figure])));
    const { movement, direction, runToRun } = follow(figure, losses, offset, random);
    return { figure, latest: recent.at(-1)?.figures[figure] ?? NaN, movement, direction, runToRun };
  });
}

/** How runs of a series vary, for the comparison of builds that ran once each; undefined if unknown. */
export function runToRunOf(trends: readonly FigureTrend[]): PerFigure<Spread> | undefined {
  const known = new Map(trends.map(({ figure, runToRun }) => [figure, runToRun]));
  if (figures.some((figure) => known.get(figure) === undefined)) return undefined;
  return perFigure((figure) => known.get(figure) ?? { log: NaN, degrees: 1 });
}

/**
 * The probability that a series without a trend shows one. It is smaller than that of a comparison, because every new run is
 * another test.
 */
const trendError = 0.025;

/** Shared by all figures and by the tests for a step and for a drift. */
const testError = trendError / figures.length / 2;

type Followed = Pick<FigureTrend, 'movement' | 'direction' | 'runToRun'>;

function follow(figure: Figure, losses: readonly number[], offset: number, random: () => number): Followed {
  if (losses.length < fewestRuns) return { movement: { kind: 'too-few' }, direction: 'none', runToRun: undefined };
  // Shuffling takes nearly all the time, and the whole series is needed twice.
  const critical = criticalScore(losses, testError, random);
  const criticalOf = (values: readonly number[]) =>
    values === losses ? critical : criticalScore(values, testError, random);
  const levels = levelsOf(losses, { fewest: fewestRuns, criticalOf });
  const flat = levels.flatMap(({ values }) => aroundMedian(values));
  const line = theilSen(losses);
  const sloped = losses.map((loss, index) => loss - line.start - line.slope * index);
  const lineIsNearer = absolute(sloped) < absolute(flat);
  const residuals = lineIsNearer ? sloped : flat;
  const memory = memoryFactor(residuals);
  const drifts = Math.abs(line.score) / memory > normalQuantile(1 - testError / 2);
  if (drifts && (lineIsNearer || levels.length === 1)) {
    const ratioPerRun = ratios(figure, line.slope, 0).ratio;
    const { ratio } = ratios(figure, line.slope * (losses.length - 1), 0);
    return {
      movement: { kind: 'drift', ratioPerRun, ratio },
      direction: directionOf(line.slope),
      runToRun: spreadOf(sloped, 2),
    };
  }
  const runToRun = spreadOf(flat, levels.length);
  const [before, after] = levels.slice(-2);
  if (before === undefined || after === undefined) {
    return { movement: { kind: 'steady', detectable: detectable(losses, critical) }, direction: 'none', runToRun };
  }
  const loss = median(after.values) - median(before.values);
  const error = runToRun.log * memory * Math.sqrt(1 / before.values.length + 1 / after.values.length);
  const reach = error * studentQuantile(0.975, runToRun.degrees);
  return {
    movement: { kind: 'step', at: offset + after.from, ...ratios(figure, loss, reach) },
    direction: directionOf(loss),
    runToRun,
  };
}

/** The smallest step of five runs that would have been detected, as a share of the level before. */
function detectable(losses: readonly number[], critical: number): number {
  const around = aroundMedian(losses);
  const shown = Math.min(runsToSee, losses.length - fewestBeside);
  const scores = critical + normalQuantile(statedPower);
  const error = deviation(around) * memoryFactor(around) * Math.sqrt(1 / shown + 1 / (losses.length - shown));
  return Math.expm1(scores * error);
}

function spreadOf(residuals: readonly number[], parameters: number): Spread {
  return { log: deviation(residuals), degrees: Math.max(1, residuals.length - parameters) };
}

function absolute(residuals: readonly number[]): number {
  return residuals.reduce((sum, residual) => sum + Math.abs(residual), 0);
}

/** A loss on the logarithmic scale as ratios of the figure, with an interval on both sides. */
function ratios(figure: Figure, loss: number, reach: number): { ratio: number; low: number; high: number } {
  const log = figure === 'throughput' ? -loss : loss;
  return { ratio: Math.exp(log), low: Math.exp(log - reach), high: Math.exp(log + reach) };
}

function directionOf(loss: number): 'worse' | 'better' {
  return loss > 0 ? 'worse' : 'better';
}
