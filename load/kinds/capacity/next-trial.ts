import { capacityInterval } from './capacity-interval.ts';
import type { CapacityOptions, CapacityTrial } from './capacity-trial.ts';
import { attempts, holdingRates, lead, tally, type Tally } from './tally.ts';

export type CapacityResult =
  | {
      readonly kind: 'found';
      /** The highest rate that held the thresholds. */
      readonly ratePerSecond: number;
      /** The lowest rate that did not. */
      readonly brokeAtPerSecond: number;
      /** Where the capacity lies with a probability of 95%. */
      readonly interval: { readonly lowPerSecond: number; readonly highPerSecond: number };
    }
  | {
      /** The target took everything that it could be given: up to the end of the range, or of the generator's means. */
      readonly kind: 'at-least';
      readonly ratePerSecond: number;
      readonly limit: 'range' | 'generator';
    }
  | {
      /** The lowest rate did not hold already; `generator` means that it could not even be sent. */
      readonly kind: 'below';
      readonly ratePerSecond: number;
      readonly limit: 'target' | 'generator';
    };

export type Next =
  | { readonly kind: 'trial'; readonly ratePerSecond: number }
  | { readonly kind: 'done'; readonly result: CapacityResult };

/** A rate that is still open after this many times `repeats` trials holds half of the time: it is the border itself. */
const openFor = 4;

/**
 * What to do after these trials, in any order; none to begin with. The rate doubles until it breaks; then the bracket
 * between the highest rate that held and the lowest that broke is halved, in ratio, until it is as narrow as asked.
 *
 * A trial may hold or break by accident. So while closing in a rate counts only when its trials are clear by half of
 * `repeats`, rounded up, and at the end both ends of the bracket have to be clear by all of them. If a share e of trials
 * goes wrong, that lead is wrong with probability 1 / (1 + ((1 − e) / e)^lead), the gambler's ruin: 12% of the time for a
 * lead of 1 and e = 12%, 1.8% for 2, 0.25% for 3. This is Wald's sequential test of e against 1 − e. An end that turns
 * over while it is repeated moves the border, and the search goes on from there: an early accident costs trials, not the
 * result.
 *
 *   rate
 *    800  ✗ ✗
 *    566        ✗ ✗
 *    476                    ✗ ✗       ✗    ← broke
 *    436                          ✓ ✓   ✓  ← held
 *    400  ✓         ✓
 *    200  ✓
 *         doubling  halving        both ends made clear
 *
 * Ends after at most 4 × `repeats` trials a rate, and rates are no more than doublings and halvings, plus those that
 * accidents opened again: 15 to 35 trials are usual, and some 100 are the most where every trial is the toss of a coin.
 */
export function nextTrial(options: CapacityOptions, trials: readonly CapacityTrial[]): Next {
  const { fromPerSecond, toPerSecond, repeats, precision } = options;
  const tallies = tally(trials);
  const holding = holdingRates(tallies);
  const low = tallies[holding - 1];
  const high = tallies[holding];
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

/** Another trial at a rate whose trials are not clear by so many yet; undefined when they are, or never will be. */
function clear(rate: Tally | undefined, by: number, { repeats }: CapacityOptions): Next | undefined {
  if (rate === undefined || Math.abs(lead(rate)) >= by || attempts(rate) >= openFor * repeats) return undefined;
  return { kind: 'trial', ratePerSecond: rate.ratePerSecond };
}

/** The geometric middle, to three digits; undefined where none lies strictly between. */
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
