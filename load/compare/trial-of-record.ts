import { sum } from '../../core/numbers.ts';
import { arrivedIn, type LoadRecord } from '../../reports/load/load-record.ts';
import { figureOf, everyUnit, unitsOf } from './units.ts';
import { perFigure, type PerFigure } from './render/figure.ts';
import type { Block, Shortfall, Trial } from './trial.ts';

type Measured = Pick<LoadRecord, 'slices' | 'sliceMs' | 'measuredMs' | 'offeredPerSecond'>;

/** A finished run as a trial: its slices, the latencies of all operations together, successes as throughput. */
export function trialOfRecord(record: Measured): Trial {
  const { slices, sliceMs, measuredMs } = record;
  const weight = weightOf(record);
  const blocks = slices.map((slice, index): Block => ({
    latency: Object.values(slice.latency).flatMap((buckets) => buckets ?? []),
    answers: arrivedIn(slice) * weight,
    // The last slice ends with the run.
    durationMs: Math.min(sliceMs, Math.max(1, measuredMs - index * sliceMs)),
  }));
  return { blocks, shortfall: shortfallOf(record) };
}

/**
 * How much an answer counts in the throughput. Arrivals are random, so the number of scheduled requests differs from the
 * wanted rate by chance, which says nothing about the build. The throughput is the wanted rate times the share of
 * requests that were answered with success within the measured time.
 */
function weightOf({ slices, measuredMs, offeredPerSecond }: Measured): number {
  const due = sum(slices.map((slice) => slice.due));
  return offeredPerSecond === undefined || due === 0 ? 1 : (offeredPerSecond * measuredMs) / 1000 / due;
}

/** The tolerance, in standard deviations. */
const chance = 3;

/**
 * A build that keeps up with a constant rate has requests under way at the end, and had as many at the start. With random arrivals,
 * either number varies by its root. With a rate that grows, more are under way at the end, and these count as missing.
 */
function shortfallOf({ slices, measuredMs, offeredPerSecond }: Measured): Shortfall | undefined {
  const due = sum(slices.map((slice) => slice.due));
  if (offeredPerSecond === undefined || due === 0) return undefined;
  const ok = sum(slices.map(({ classes }) => classes.ok ?? 0));
  const arrived = sum(slices.map(arrivedIn));
  const times = slices.flatMap(({ latency }) => Object.values(latency).flatMap((buckets) => buckets ?? []));
  const underWay = sum(times.map(([us, count]) => us * count)) / 1000 / measuredMs;
  const missing = (inTime: number) => Math.max(0, 1 - Math.min(ok, inTime) / due);
  return { missing: missing(arrived), beyondChance: missing(arrived + chance * Math.sqrt(2 * underWay)) };
}

/** The figures of one trial, for its line in a history: latencies in microseconds, throughput in answers a second. */
export function figuresOfTrial({ blocks }: Trial): PerFigure<number> {
  const units = unitsOf([blocks]);
  return perFigure((figure) => figureOf(units, everyUnit(units), figure));
}
