import type { Figure } from './render/figure.ts';
import type { Shortfall } from './trial.ts';

/**
 * One error for all verdicts and intervals of a comparison: the probability that the interval of any figure misses the true
 * ratio. The intervals decide the verdicts, so it is also the probability that any of them is wrong.
 */
export const statedError = 0.05;

/** The probability of detection that `detectable` and `roundsToTell` refer to. */
export const statedPower = 0.95;

/**
 * - `better`, `worse`: the interval lies on one side of no change.
 * - `no-worse`: the interval ends below the margin, which takes precedence over a small but certain `worse`.
 * - `kept-up`: both builds kept up with the schedule. It sets their throughput, so that is no property of a build. The shortfall
 *   is the largest of all runs.
 * - `cannot-tell`: neither was shown. The reason is a sentence unless it is noise.
 */
export type Verdict =
  | { readonly kind: 'better' | 'worse' | 'no-worse' }
  | { readonly kind: 'kept-up'; readonly shortfall: Shortfall }
  | { readonly kind: 'cannot-tell'; readonly reason: string | undefined };

/** Latencies are in microseconds, throughput is in answers a second; changes are shares, 0.05 for 5%. */
export type FigureComparison = {
  readonly figure: Figure;
  readonly a: number;
  readonly b: number;
  /** B / A. */
  readonly ratio: number;
  readonly verdict: Verdict;
  /** The standard deviation between trials of the same build; undefined if no trial was repeated. */
  readonly trialToTrial: number | undefined;
  /** The evidence for the verdict; undefined if there were too few data, or there is nothing to compare. */
  readonly basis: Basis | undefined;
};

export type Basis = {
  /** Of B / A. All intervals of a comparison hold at once with probability 1 − `statedError`. */
  readonly interval: { readonly low: number; readonly high: number };
  /** The A/A noise floor: the smallest worsening that a comparison like this one detects in `statedPower` of cases. */
  readonly detectable: number;
  /** The probability that an equal build would have been called `no-worse`. */
  readonly power: number;
  /** Rounds after which an equal build is called `no-worse` with `statedPower`; undefined if that is too many or unknown. */
  readonly roundsToTell: number | undefined;
};

export type Comparison = {
  /** What the bootstrap draws. `stretch` cannot show how one run differs from the next. */
  readonly unit: 'round' | 'trial' | 'stretch';
  readonly trials: { readonly a: number; readonly b: number };
  readonly margin: number;
  readonly figures: readonly FigureComparison[];
};

/** The verdict of all figures: any figure that is worse decides, then any required figure that is undecided. */
export function overall({ figures }: Comparison, required: readonly Figure[]): 'worse' | 'cannot-tell' | 'no-worse' {
  if (figures.some(({ verdict }) => verdict.kind === 'worse')) return 'worse';
  const isOpen = figures.some(({ figure, verdict }) => verdict.kind === 'cannot-tell' && required.includes(figure));
  return isOpen ? 'cannot-tell' : 'no-worse';
}
