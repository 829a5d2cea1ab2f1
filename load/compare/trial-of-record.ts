import type { LoadRecord } from '../../reports/load-record.ts';
import { figureOf, everyUnit, unitsOf } from './units.ts';
import { perFigure, type PerFigure } from './figure.ts';
import { countBuckets } from './latency-counts.ts';
import type { Block, Trial } from './trial.ts';

/** A finished run as a trial: its slices, the latencies of all operations together, successes as throughput. */
export function trialOfRecord({
  slices,
  sliceMs,
  measuredMs,
}: Pick<LoadRecord, 'slices' | 'sliceMs' | 'measuredMs'>): Trial {
  const blocks = slices.map(({ latency, classes }, index): Block => ({
    latency: countBuckets(...Object.values(latency).map((buckets) => new Map(buckets ?? []))),
    answers: classes.ok ?? 0,
    // The last slice ends with the run.
    durationMs: Math.min(sliceMs, Math.max(1, measuredMs - index * sliceMs)),
  }));
  return { blocks };
}

/** The figures of one trial, for its line in a history: latencies in microseconds, throughput in answers a second. */
export function figuresOfTrial({ blocks }: Trial): PerFigure<number> {
  const units = unitsOf([blocks]);
  return perFigure((figure) => figureOf(units, everyUnit(units), figure));
}
