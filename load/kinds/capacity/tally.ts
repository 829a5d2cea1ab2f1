import type { CapacityTrial } from './capacity-trial.ts';

/** What the trials at one rate came to. */
export type Tally = {
  readonly ratePerSecond: number;
  readonly held: number;
  readonly broke: number;
  readonly generator: number;
};

/** Ascending by rate. */
export function tally(trials: readonly CapacityTrial[]): readonly Tally[] {
  const byRate = new Map<number, { held: number; broke: number; generator: number }>();
  for (const { ratePerSecond, outcome } of trials) {
    const counts = byRate.get(ratePerSecond) ?? { held: 0, broke: 0, generator: 0 };
    counts[outcome] += 1;
    byRate.set(ratePerSecond, counts);
  }
  return [...byRate]
    .map(([ratePerSecond, counts]) => ({ ratePerSecond, ...counts }))
    .sort((one, other) => one.ratePerSecond - other.ratePerSecond);
}

/** By how many trials a rate held rather than not; below 0 when it rather did not. */
export function lead({ held, broke, generator }: Tally): number {
  return held - broke - generator;
}

export function attempts({ held, broke, generator }: Tally): number {
  return held + broke + generator;
}

/**
 * How many of the rates, from the lowest up, the trials say to hold. A server that holds a rate holds every lower one, so
 * the likeliest border has the most holds below it and the most breaks above it, whatever the share of trials that go
 * wrong by accident, as long as it is below one half. Of equally likely borders the lowest is taken.
 *
 *   rate     100   200   400   420   440   460   800
 *   held       1     1     3     2     1     0     0
 *   broke      0     0     0     1     0     3     2
 *                                        ▲
 *                       the one hold at 440 outweighs nothing else: border between 440 and 460
 */
export function holdingRates(tallies: readonly Tally[]): number {
  let best = 0;
  let score = 0;
  let bestScore = 0;
  for (const [index, each] of tallies.entries()) {
    score += lead(each);
    if (score <= bestScore) continue;
    bestScore = score;
    best = index + 1;
  }
  return best;
}
