import type { CapacityRecord } from '../../../reports/load/capacity-record.ts';
import { capacityInterval } from './capacity-interval.ts';
import { attempts, type CapacityTrial, lead, passingRates, tally, type Tally } from './tally.ts';

/** The settings of a search for the capacity. */
export type CapacityOptions = {
  /** The first rate that is tried, and the lowest. Above 0. */
  readonly fromPerSecond: number;
  /** The highest rate that is tried. At least `fromPerSecond`. */
  readonly toPerSecond: number;
  /** By how many trials both ends of the final bracket have to be clear. At least 1. */
  readonly repeats: number;
  /** The search ends when the rate that broke is at most this share above the one that passed: 0.05. Above 0. */
  readonly precision: number;
};

/**
 * - `found`: the highest rate that passed, the lowest that did not, and where the capacity lies with 95% probability.
 * - `at-least`: every rate passed up to the end of the range, or up to what the generator can send.
 * - `below`: the lowest rate did not pass; `generator` means that it could not even be sent.
 */
export type CapacityResult = NonNullable<CapacityRecord['thresholds']>;

/** The rates between which the search still has to look. */
export type Unfinished = Extract<CapacityRecord['result'], { readonly kind: 'unfinished' }>;

export type Next =
  | { readonly kind: 'trial'; readonly ratePerSecond: number }
  | { readonly kind: 'done'; readonly result: CapacityResult };

/** A rate that is still undecided after this many times `repeats` trials passes half of the time: it is the border. */
const openFor = 4;

/**
 * The next step after these trials, in any order; none to begin with. The rate doubles until a trial breaks. Then the
 * bracket between the highest rate that passed and the lowest that broke is halved, in ratio, until it is narrow enough.
 *
 * A trial may pass or break by accident. So a rate counts during the search only if its trials lead by half of `repeats`,
 * rounded up. At the end both ends of the bracket have to lead by `repeats`. If a share e of trials goes wrong, a lead is
 * wrong with probability 1 / (1 + ((1 − e) / e)^lead), the gambler's ruin: 12% of the time for a lead of 1 and e = 12%,
 * 1.8% for 2, 0.25% for 3. This is Wald's sequential test of e against 1 − e. If an end changes sides while it is
 * repeated, the border moves and the search continues from there: an early accident costs trials, but does not change
 * the result.
 *
 *   rate
 *    800  ✗ ✗
 *    566        ✗ ✗
 *    476                    ✗ ✗       ✗    ← broke
 *    436                          ✓ ✓   ✓  ← passed
 *    400  ✓         ✓
 *    200  ✓
 *         doubling  halving        both ends made clear
 *
 * It ends after at most 4 × `repeats` trials a rate. The rates are those of the doublings and halvings, plus those that
 * accidents reopened: 15 to 35 trials are usual, and about 100 are the most if every trial is the toss of a coin.
 */
export function nextTrial(options: CapacityOptions, trials: readonly CapacityTrial[]): Next {
  const { fromPerSecond, toPerSecond, repeats, precision } = options;
  const tallies = tally(trials);
  const passing = passingRates(tallies);
  const low = tallies[passing - 1];
  const high = tallies[passing];
  const settling = Math.ceil(repeats / 2);
  if (low === undefined && high === undefined) return { kind: 'trial', ratePerSecond: fromPerSecond };
  if (low === undefined) return clear(high, repeats, options) ?? { kind: 'done', result: below(high, fromPerSecond) };
  if (high === undefined) {
    if (low.ratePerSecond < toPerSecond)
      return { kind: 'trial', ratePerSecond: Math.min(toPerSecond, 2 * low.ratePerSecond) };
    return clear(low, repeats, options) ?? { kind: 'done', result: atLeast(low, 'range') };
  }
  const open = clear(high, settling, options) ?? clear(low, settling, options);
  if (open !== undefined) return open;
  const middle = between(low.ratePerSecond, high.ratePerSecond);
  const wide = high.ratePerSecond > low.ratePerSecond * (1 + precision);
  if (wide && middle !== undefined) return { kind: 'trial', ratePerSecond: middle };
  return (
    clear(high, repeats, options) ?? clear(low, repeats, options) ?? { kind: 'done', result: found(low, high, trials) }
  );
}

/** Where the capacity lies by the trials so far. */
export function soFar(trials: readonly CapacityTrial[]): Unfinished {
  const tallies = tally(trials);
  const passing = passingRates(tallies);
  const [low, high] = [tallies[passing - 1], tallies[passing]];
  return {
    kind: 'unfinished',
    ...(low === undefined ? {} : { passedPerSecond: low.ratePerSecond }),
    ...(high === undefined ? {} : { failedPerSecond: high.ratePerSecond }),
  };
}

/** Another trial at a rate that does not lead by enough trials yet; undefined if it does, or never will. */
function clear(rate: Tally | undefined, by: number, { repeats }: CapacityOptions): Next | undefined {
  if (rate === undefined || Math.abs(lead(rate)) >= by || attempts(rate) >= openFor * repeats) return undefined;
  return { kind: 'trial', ratePerSecond: rate.ratePerSecond };
}

/** The geometric middle, to three digits; undefined if no such value lies strictly between. */
function between(low: number, high: number): number | undefined {
  const middle = Number(Math.sqrt(low * high).toPrecision(3));
  return middle > low && middle < high ? middle : undefined;
}

function found(low: Tally, high: Tally, trials: readonly CapacityTrial[]): CapacityResult {
  if (high.generator > high.broke) return atLeast(low, 'generator');
  return {
    kind: 'found',
    ratePerSecond: low.ratePerSecond,
    brokeAtPerSecond: high.ratePerSecond,
    interval: capacityInterval(tally(trials)),
  };
}

function atLeast({ ratePerSecond }: Tally, limit: 'range' | 'generator'): CapacityResult {
  return { kind: 'at-least', ratePerSecond, limit };
}

function below(high: Tally | undefined, fromPerSecond: number): CapacityResult {
  const limit = high !== undefined && high.generator > high.broke ? 'generator' : 'target';
  return { kind: 'below', ratePerSecond: high?.ratePerSecond ?? fromPerSecond, limit };
}
