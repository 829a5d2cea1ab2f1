import { bootstrapSpreads } from './statistics/bootstrap.ts';
import { type Comparison, type FigureComparison, statedError, statedPower, type Verdict } from './comparison.ts';
import { type Design, designOf, fewestTrials, type Sample } from './design.ts';
import { type Figure, figures, logLoss, type PerFigure, shareBelow } from './render/figure.ts';
import { noiseFloor, trialToTrial } from './statistics/noise-floor.ts';
import { detectableLog, powerWithin, roundsFor } from './statistics/power.ts';
import { combined, type Spread } from './statistics/spread.ts';
import { studentQuantile } from './statistics/student.ts';
import { largest, type Shortfall, type Trials } from './trial.ts';
import { answersWithin, everyUnit, figureOf, logFigure } from './units.ts';

export type CompareOptions = {
  /** How much worse is still acceptable, as a share: 0.05. Above 0. */
  readonly margin: number;
  /** Numbers from 0 up to 1. */
  readonly random: () => number;
  /** How runs of this target vary, from its history. It allows a comparison of builds with too few runs to see that. */
  readonly runToRun?: PerFigure<Spread>;
};

/** Rounds are not planned beyond this number. */
const mostRounds = 500;

/** An estimated percentile needs this many answers above it, or single answers decide it. */
const answersAbove = 10;

/** The error of each figure's own interval: a fifth of the error that is allowed for all figures together. */
const figureError = statedError / figures.length;

/**
 * Judges build B against build A, figure by figure. Throws a RangeError when a build has no latencies at all.
 *
 *                       no change          margin
 *   better        ├──┤      │                 │
 *   no worse            ├───┼──────────┤      │        also where all of it lies between the two
 *   worse                   │        ├────────┼───┤
 *   cannot tell         ├───┼─────────────────┼───┤
 *
 * The interval that is shown decides, so no verdict contradicts it. A bound for each figure alone would call more equal
 * builds no worse, but at a lower confidence than that of the intervals.
 *
 * The number of rounds that it takes depends on how much trials vary. To detect a change of 15% at p50 and of 20% at p95
 * in 95 of 100 comparisons takes 8 rounds if trials vary by 2% and 3%, and 16 rounds if they vary by 6% and 9%.
 */
export function compare(trials: Trials, options: CompareOptions): Comparison {
  const design = designOf(trials);
  const { a, b } = design;
  if (answered(a) === 0 || answered(b) === 0) throw new RangeError('A build has no latencies.');
  const spreads = bootstrapSpreads(design, options.random);
  const floors = noiseFloor(design, options.random);
  const singles = trialToTrial(design);
  return {
    unit: design.unit,
    trials: { a: a.trials, b: b.trials },
    margin: options.margin,
    figures: figures.map((figure) => {
      const others = [betweenRuns(design, options.runToRun?.[figure]), resolution(figure, a), resolution(figure, b)];
      return judge(design, options, figure, {
        estimate: combined(spreads[figure], ...others),
        floor: combined(floors[figure], ...others),
        single: singles[figure],
      });
    }),
  };
}

type Noise = { readonly estimate: Spread; readonly floor: Spread; readonly single: number };

function judge(design: Design, options: CompareOptions, figure: Figure, noise: Noise): FigureComparison {
  const [logA, logB] = [logOf(design.a, figure), logOf(design.b, figure)];
  const { estimate, floor, single } = noise;
  const shared = {
    figure,
    a: valueOf(design.a, figure),
    b: valueOf(design.b, figure),
    ratio: valueOf(design.b, figure) / valueOf(design.a, figure),
    trialToTrial: Number.isFinite(single) ? single : undefined,
  };
  const reach = estimate.log * studentQuantile(1 - figureError / 2, estimate.degrees);
  const reason = unfit(design, options, figure) ?? (Number.isFinite(reach) ? undefined : 'too few trials got answers');
  if (reason !== undefined) return { ...shared, verdict: { kind: 'cannot-tell', reason }, basis: undefined };
  const shortfall = figure === 'throughput' ? shortfallOf(design) : undefined;
  if (shortfall !== undefined && isKeptUp(shortfall, options)) {
    return { ...shared, verdict: { kind: 'kept-up', shortfall }, basis: undefined };
  }
  const loss = logLoss(figure, logA, logB);
  const marginLog = Math.log1p(options.margin);
  const roundLog = estimate.log * Math.sqrt(design.a.trials);
  return {
    ...shared,
    verdict: verdictOf({ low: loss - reach, high: loss + reach }, marginLog),
    basis: {
      interval: { low: Math.exp(logB - logA - reach), high: Math.exp(logB - logA + reach) },
      detectable: Math.expm1(detectableLog(floor, figureError, statedPower)),
      power: powerWithin(estimate, marginLog, figureError),
      roundsToTell:
        design.unit === 'round' ? roundsFor(roundLog, marginLog, figureError, statedPower, mostRounds) : undefined,
    },
  };
}

function verdictOf(loss: { low: number; high: number }, marginLog: number): Verdict {
  if (loss.high < 0) return { kind: 'better' };
  if (loss.high <= marginLog) return { kind: 'no-worse' };
  if (loss.low > 0) return { kind: 'worse' };
  return { kind: 'cannot-tell', reason: undefined };
}

/** The largest shortfall beyond chance of a build that keeps up. */
const mostShortfall = 0.01;

/** The longer requests take, the more of them chance explains. So all that is missing must also be within the margin. */
function isKeptUp({ missing, beyondChance }: Shortfall, { margin }: CompareOptions): boolean {
  return missing <= margin && beyondChance <= mostShortfall;
}

/** That of both builds; undefined if that of one is. */
function shortfallOf({ a, b }: Design): Shortfall | undefined {
  return a.shortfall && b.shortfall && largest([a.shortfall, b.shortfall]);
}

/** Why there are too few data for any verdict. */
function unfit({ unit, a, b }: Design, { runToRun }: CompareOptions, figure: Figure): string | undefined {
  if (unit === 'round' && a.trials < fewestTrials) return `it takes ${fewestTrials} rounds to see how trials vary`;
  if (unit === 'stretch' && runToRun === undefined) {
    return `it takes ${fewestTrials} runs of each build, or a history, to see how runs vary`;
  }
  const share = shareBelow(figure);
  if (share === undefined) return undefined;
  const answers = Math.min(answered(a), answered(b));
  const needed = Math.ceil(answersAbove / (1 - share) - 1e-9);
  return answers < needed ? `${answers} answers are too few, it takes ${needed}` : undefined;
}

/** The number of answers with a latency. */
function answered({ units }: Sample): number {
  return answersWithin(units, Infinity).reduce((sum, count) => sum + count, 0);
}

function valueOf({ units }: Sample, figure: Figure): number {
  return figureOf(units, everyUnit(units), figure);
}

function logOf({ units }: Sample, figure: Figure): number {
  return logFigure(units, everyUnit(units), figure);
}

/** The noise between runs; 0 if the comparison itself contains repeated trials. */
function betweenRuns({ unit, a, b }: Design, runToRun: Spread | undefined): Spread {
  if (unit !== 'stretch' || runToRun === undefined) return { log: 0, degrees: Infinity };
  return { log: runToRun.log * Math.sqrt(1 / a.trials + 1 / b.trials), degrees: runToRun.degrees };
}

/**
 * No value is more exact than the step with which it was recorded: a microsecond, or a thousandth for a histogram of
 * three digits. A throughput is exact to about a request. A uniform error within a step has the deviation step / √12.
 * Without this, any difference of one step would seem certain if all trials fell on the same step.
 */
function resolution(figure: Figure, sample: Sample): Spread {
  const step = figure === 'throughput' ? 0.001 : Math.max(1 / Math.max(1, valueOf(sample, figure)), 0.001);
  return { log: step / Math.sqrt(12), degrees: Infinity };
}
