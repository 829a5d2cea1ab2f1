import { bootstrapSpreads } from './bootstrap.ts';
import {
  type Comparison,
  familyError,
  type FigureComparison,
  marginError,
  statedPower,
  type Verdict,
} from './comparison.ts';
import { type Design, designOf, fewestTrials } from './design.ts';
import { type Figure, figures, logLoss, type PerFigure, perFigure, shareBelow } from './figure.ts';
import { noiseFloor, trialToTrial } from './noise-floor.ts';
import { detectableLog, powerWithin, roundsFor } from './power.ts';
import { combined, type Spread } from './spread.ts';
import { studentQuantile } from './student.ts';
import type { Trials } from './trial.ts';
import { figureOf, latencyTotal } from './units.ts';

export type CompareOptions = {
  /** How much worse is still acceptable, as a share: 0.05. */
  readonly margin: number;
  /** Numbers from 0 up to 1. */
  readonly random: () => number;
  /** How runs of this target vary, from its history. Lets builds be compared that ran once each. */
  readonly runToRun?: PerFigure<Spread>;
};

/** Rounds are not planned beyond this number. */
const mostRounds = 500;

/** An estimated percentile needs this many answers above it, or it is a matter of single answers. */
const answersAbove = 10;

/** The level of each figure's own test: a fifth of the family's, so that all together err as seldom as the family may. */
const figureError = familyError / figures.length;

/**
 * Judges build B against build A, figure by figure.
 *
 *                       no change          margin
 *   better        ├──┤      │                 │
 *   no worse            ├───┼──────────┤      │        also where all of it lies between the two
 *   worse                   │        ├────────┼───┤
 *   cannot tell         ├───┼─────────────────┼───┤
 */
export function compare(trials: Trials, options: CompareOptions): Comparison {
  const design = designOf(trials);
  const spreads = bootstrapSpreads(design, options.random);
  const floor = noiseFloor(design, options.random);
  const single = trialToTrial(design);
  const between = betweenRuns(design, options.runToRun);
  return {
    unit: design.unit,
    trials: { a: design.a.trials, b: design.b.trials },
    margin: options.margin,
    figures: figures.map((figure) => {
      const a = overAll(design.a.units, figure);
      const b = overAll(design.b.units, figure);
      const others = [between[figure], resolution(figure, a), resolution(figure, b)];
      return judge(
        design,
        options,
        { figure, a, b },
        {
          estimate: combined(spreads[figure], ...others),
          floor: combined(floor[figure], ...others),
          single: single[figure],
        },
      );
    }),
  };
}

type Point = { readonly figure: Figure; readonly a: number; readonly b: number };
type Noise = { readonly estimate: Spread; readonly floor: Spread; readonly single: number };

function judge(design: Design, options: CompareOptions, point: Point, noise: Noise): FigureComparison {
  const { figure, a, b } = point;
  const { estimate, floor } = noise;
  const loss = logLoss(figure, Math.log(a), Math.log(b));
  const reach = estimate.log * studentQuantile(1 - figureError / 2, estimate.degrees);
  const logRatio = Math.log(b / a);
  const worst = loss + estimate.log * studentQuantile(1 - marginError, estimate.degrees);
  const marginLog = Math.log1p(options.margin);
  const reason =
    unfit(design, options, figure) ?? (Number.isFinite(reach) ? undefined : 'too few of the trials answered');
  const perRound = estimate.log * Math.sqrt(design.a.trials);
  const known = reason === undefined;
  return {
    figure,
    a,
    b,
    ratio: b / a,
    interval: { low: Math.exp(logRatio - reach), high: Math.exp(logRatio + reach) },
    atWorst: Math.exp(worst),
    verdict: known ? verdictOf({ low: loss - reach, high: loss + reach, worst }, marginLog) : cannotTell(reason),
    trialToTrial: Number.isFinite(noise.single) ? noise.single : undefined,
    detectable: known ? Math.expm1(detectableLog(floor, figureError, statedPower)) : undefined,
    power: known ? powerWithin(estimate, marginLog, marginError) : undefined,
    roundsToTell:
      design.unit === 'round' && known
        ? roundsFor(perRound, marginLog, marginError, statedPower, mostRounds)
        : undefined,
  };
}

function verdictOf(loss: { low: number; high: number; worst: number }, marginLog: number): Verdict {
  if (loss.high < 0) return { kind: 'better' };
  if (loss.worst <= marginLog) return { kind: 'no-worse' };
  if (loss.low > 0) return { kind: 'worse' };
  return cannotTell(undefined);
}

function cannotTell(reason: string | undefined): Verdict {
  return { kind: 'cannot-tell', reason };
}

/** Why the data cannot carry a verdict, whatever they say. */
function unfit({ unit, a, b }: Design, { runToRun }: CompareOptions, figure: Figure): string | undefined {
  if (unit === 'round' && a.trials < fewestTrials) return `it takes ${fewestTrials} rounds to see how trials vary`;
  if (unit === 'stretch' && runToRun === undefined) {
    return `one run does not show how runs vary; it takes ${fewestTrials} of each build, or a history`;
  }
  const share = shareBelow(figure);
  if (share === undefined) return undefined;
  const answers = Math.min(latencyTotal(a.units), latencyTotal(b.units));
  const needed = Math.ceil(answersAbove / (1 - share) - 1e-9);
  return answers < needed ? `${answers} answers are too few: it takes ${needed}` : undefined;
}

function overAll(units: Design['a']['units'], figure: Figure): number {
  return figureOf(
    units,
    units.running.map(() => 1),
    figure,
  );
}

/** What runs of single builds add to the noise; nothing where the comparison has seen trials repeated itself. */
function betweenRuns({ unit, a, b }: Design, runToRun: PerFigure<Spread> | undefined): PerFigure<Spread> {
  const none = { log: 0, degrees: Infinity };
  if (unit !== 'stretch' || runToRun === undefined) return perFigure(() => none);
  return perFigure((figure) => ({
    log: runToRun[figure].log * Math.sqrt(1 / a.trials + 1 / b.trials),
    degrees: runToRun[figure].degrees,
  }));
}

/**
 * A value is known no better than the step of what recorded it: a microsecond, or a thousandth for an HDR histogram with
 * three digits; an answer more or less for throughput. An error anywhere within a step has a deviation of step / √12.
 * Without this, trials that all fell on the same step would make any difference of one step certain.
 */
function resolution(figure: Figure, value: number): Spread {
  const step = figure === 'throughput' ? 0.001 : Math.max(1 / value, 0.001);
  return { log: step / Math.sqrt(12), degrees: Infinity };
}
