import type { Spread } from './spread.ts';
import { studentCdf, studentQuantile } from './student.ts';

/**
 * The smallest true change that a two-sided test at level `alpha` calls with probability `power`. A change is called when
 * its estimate lies t₁ standard errors from zero; the true change has to lie t₂ further out, so that noise seldom carries
 * the estimate back below that.
 *
 *   0 ────────── t₁·SE ────── t₂·SE ──── smallest detectable change
 *               called from here on
 */
export function detectableLog({ log, degrees }: Spread, alpha: number, power: number): number {
  return log * (studentQuantile(1 - alpha / 2, degrees) + studentQuantile(power, degrees));
}

/** The probability that the upper end of a two-sided interval at level `alpha` lies below a margin, for two equal builds. */
export function powerWithin({ log, degrees }: Spread, marginLog: number, alpha: number): number {
  if (log === 0) return 1;
  return studentCdf(marginLog / log - studentQuantile(1 - alpha / 2, degrees), degrees);
}

/** A single round has no spread. */
const fewestRounds = 2;

/**
 * The number of rounds after which two equal builds are found, with probability `power`, to differ by less than a margin;
 * undefined above `most`. The spread is that of a single round.
 */
export function roundsFor(
  roundLog: number,
  marginLog: number,
  alpha: number,
  power: number,
  most: number,
): number | undefined {
  const isEnough = (rounds: number): boolean =>
    powerWithin({ log: roundLog / Math.sqrt(rounds), degrees: rounds - 1 }, marginLog, alpha) >= power;
  if (!isEnough(most)) return undefined;
  // Every round makes it likelier, so the first number that is enough is found by halving.
  let low = fewestRounds;
  let high = most;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isEnough(middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}
