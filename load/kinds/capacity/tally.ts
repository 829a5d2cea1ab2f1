import type { CapacityRecord } from '../../../reports/load/capacity-record.ts';

/** One trial at one rate. Latencies count from the scheduled instant; throughput is successful answers a second. */
export type CapacityTrial = CapacityRecord['trials'][number];

/** The outcomes of all trials at one rate. */
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

/** How many more trials passed than did not; below 0 if fewer passed. */
export function lead({ held, broke, generator }: Tally): number {
  return held - broke - generator;
}

export function attempts({ held, broke, generator }: Tally): number {
  return held + broke + generator;
}

/**
 * The number of rates, from the lowest up, that pass according to the trials. A server that passes at one rate passes at
 * every lower one. So the likeliest border has the most passed trials below it and the most broken ones above it. This
 * is true for any share of accidental results below one half. If borders are equally likely, the lowest is taken.
 *
 *   rate     100   200   400   420   440   460   800
 *   passed     1     1     3     2     1     0     0
 *   broke      0     0     0     1     0     3     2
 *                                        ▲
 *                       one passed trial at 440 and none broken: the border lies between 440 and 460
 */
export function passingRates(tallies: readonly Tally[]): number {
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

/** The lowest rate at which a requirement broke; infinite if none did. */
export function breaksFrom(trials: readonly CapacityTrial[]): number {
  return Math.min(...trials.flatMap(({ broke, ratePerSecond }) => (broke === undefined ? [] : [ratePerSecond])));
}

/**
 * The trials of a search for the highest rate at which no requirement breaks either. A violation is no accident. So no trial
 * at its rate or a higher one has passed.
 */
export function asCorrect(trials: readonly CapacityTrial[]): readonly CapacityTrial[] {
  const from = breaksFrom(trials);
  return trials.map((trial) => (trial.ratePerSecond < from ? trial : { ...trial, outcome: 'broke' }));
}
