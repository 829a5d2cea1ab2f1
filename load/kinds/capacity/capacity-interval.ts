import type { Tally } from './tally.ts';

/** How gradually a target may go from always holding to never, as shares of its capacity: from a cliff to a slope. */
const widths = [0.005, 0.015, 0.05, 0.15] as const;

/** Which share of trials may break by accident, such as for a stall of the machine, whatever the rate. */
const accidents = [0.03, 0.12] as const;

/** The share of trials that hold by accident. */
const luck = 0.02;

/** Candidates lie this far apart, as a share. */
const step = 0.01;

/** How much further than the rates that were tried the interval may reach, as a factor. */
const reach = 2;

/** The probability that is left out at either end: 95% remain. */
const tail = 0.025;

/**
 * Where the capacity lies with a probability of 95%, given all trials: the rate at which half of them would hold, but for
 * accidents.
 *
 * How likely a trial is to hold falls along a logistic curve. It does not begin at 1, because trials break by accident:
 * without accounting for that a single stall far below the capacity would bend the whole curve (Wichmann and Hill 2001,
 * of thresholds in perception, which is the same problem). How steep it falls and how frequent accidents are is averaged
 * over, not fitted: with twenty trials a fit is surer of both than it can be, and its intervals held the truth of
 * simulated servers in 75 of 100 searches, where these hold it in 95 or more. Every rate is as likely as any other
 * beforehand, by ratio.
 *
 *   P(hold)  1 ┄┄┄┄┄┄┄┄┄┄┄┄┄┄
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

/** For each share of accidents. Trials that the generator spoilt tell nothing. */
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
