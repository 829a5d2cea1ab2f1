import type { Figure } from './render/figure.ts';

/** The probability that a comparison of equal builds calls any figure worse or better. */
export const familyError = 0.025;

/** The probability that a figure is called no worse than the margin although it is. */
export const marginError = 0.05;

/** The probability that something is seen, for everything that is said about what could be seen. */
export const statedPower = 0.95;

/**
 * - `better`, `worse`: the interval lies on one side of no change.
 * - `no-worse`: worse by the margin at most, which takes precedence over a small but certain `worse`.
 * - `cannot-tell`: neither was shown. The reason is a sentence when it is another than noise.
 */
export type Verdict =
  | { readonly kind: 'better' | 'worse' | 'no-worse' }
  | { readonly kind: 'cannot-tell'; readonly reason: string | undefined };

/** Latencies are in microseconds, throughput is in answers a second; changes are shares, 0.05 for 5%. */
export type FigureComparison = {
  readonly figure: Figure;
  readonly a: number;
  readonly b: number;
  /** B / A. */
  readonly ratio: number;
  readonly verdict: Verdict;
  /** How much one trial differs from the next of the same build, as a standard deviation; undefined where none was repeated. */
  readonly trialToTrial: number | undefined;
  /** What the verdict rests on; undefined where the data could not carry one. */
  readonly basis: Basis | undefined;
};

export type Basis = {
  /** Of B / A. All intervals of a comparison hold at once with probability 1 − `familyError`. */
  readonly interval: { readonly low: number; readonly high: number };
  /** How many times worse B may be, one-sided at 1 − `marginError`: B / A for latency, A / B for throughput. */
  readonly atWorst: number;
  /** The A/A noise floor: the smallest worsening that a comparison like this one calls in `statedPower` of cases. */
  readonly detectable: number;
  /** The probability that an equal build would have been called `no-worse`. */
  readonly power: number;
  /** Rounds after which an equal build is called `no-worse` with `statedPower`; undefined where too many or not known. */
  readonly roundsToTell: number | undefined;
};

export type Comparison = {
  /** What the intervals were drawn from: `stretch` knows nothing of how one run differs from the next. */
  readonly unit: 'round' | 'trial' | 'stretch';
  readonly trials: { readonly a: number; readonly b: number };
  readonly margin: number;
  readonly figures: readonly FigureComparison[];
};

/** Of all figures together: what is worse decides, then what could not be told of the figures that are required. */
export function overall({ figures }: Comparison, required: readonly Figure[]): 'worse' | 'cannot-tell' | 'no-worse' {
  if (figures.some(({ verdict }) => verdict.kind === 'worse')) return 'worse';
  const isOpen = figures.some(({ figure, verdict }) => verdict.kind === 'cannot-tell' && required.includes(figure));
  return isOpen ? 'cannot-tell' : 'no-worse';
}
