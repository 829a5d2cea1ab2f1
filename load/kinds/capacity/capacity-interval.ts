import type { Tally } from './tally.ts';

/** How gradually a target may go from always passing to never, as shares of its capacity: from a cliff to a slope. */
const widths = [0.005, 0.015, 0.05, 0.15] as const;

/** The assumed shares of trials that break by accident, such as a stall of the machine, at any rate. */
const accidents = [0.03, 0.12] as const;

/** The share of trials that pass by accident. */
const luck = 0.02;

/** Candidates lie this far apart, as a share. */
const step = 0.01;

/** How far beyond the tried rates the interval may reach, as a factor. */
const reach = 2;

/** The probability on either side of the interval: 95% remain inside. */
const tail = 0.025;

/**
 * The interval that contains the capacity with a probability of 95%, given all trials. The capacity is the rate at which
 * half of the trials would pass without accidents.
 *
 * The probability that a trial passes follows a logistic curve. It does not begin at 1, because trials break by accident:
 * otherwise a single stall far below the capacity would bend the whole curve (Wichmann and Hill 2001, on thresholds in
 * perception, which is the same problem). The slope and the share of accidents are averaged over, not fitted: with twenty
 * trials a fit is overconfident, and its intervals contained the capacity of simulated servers in 75 of 100 searches,
 * while these contain it in 95 or more. The prior over rates is uniform in their logarithm.
 *
 *   P(pass)  1 ┄┄┄┄┄┄┄┄┄┄┄┄┄┄
 *              ──────────╮      accidents
 *                         ╲     half of it: the capacity
 *            0             ╰────────────
 *                        rate
 */
export function capacityInterval(tallies: readonly Tally[]): {
  readonly lowPerSecond: number;
  readonly highPerSecond: number;
} {
  const from = Math.log(tallies[0]?.ratePerSecond ?? 1) - Math.log(reach);
  const to = Math.log(tallies.at(-1)?.ratePerSecond ?? 1) + Math.log(reach);
  const candidates = Array.from({ length: Math.ceil((to - from) / step) + 1 }, (_, index) => from + index * step);
  const evidence = candidates.map((candidate) => widths.flatMap((width) => logLikelihoods(tallies, candidate, width)));
  const best = Math.max(...evidence.map((each) => Math.max(...each)));
  const weights = evidence.map((each) => each.reduce((sum, likelihood) => sum + Math.exp(likelihood - best), 0));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  // A quantile of a probability distribution over candidates, not of measured values.
  const quantile = (share: number): number => {
    let sum = 0;
    const index = weights.findIndex((weight) => (sum += weight) >= share * total);
    return Math.exp(candidates[index] ?? to);
  };
  return { lowPerSecond: quantile(tail), highPerSecond: quantile(1 - tail) };
}

/** One for each share of accidents. Trials in which the generator was the bottleneck do not count. */
function logLikelihoods(tallies: readonly Tally[], logCapacity: number, width: number): readonly number[] {
  const curves = tallies.map(
    ({ ratePerSecond }) => 1 / (1 + Math.exp((Math.log(ratePerSecond) - logCapacity) / width)),
  );
  return accidents.map((share) =>
    tallies.reduce((sum, { held, broke }, index) => {
      const holds = luck + (1 - luck - share) * (curves[index] ?? 0);
      return sum + held * Math.log(holds) + broke * Math.log(1 - holds);
    }, 0),
  );
}
