import { type Operation, operations } from '../../spec/requirement.ts';
import { arrivedIn, type LoadRecord, type LoadSlice, type OutcomeClass, outcomeClasses } from './load-record.ts';
import { type Latencies, sumLatencies } from './latencies.ts';

/** An interval of a run. A request counts in the interval it was scheduled for, whenever it was answered, except in `arrived`. */
export type TimePoint = {
  /** From the start of the measured part. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly due: number;
  /** Successful answers that arrived in the interval and within the measured time. */
  readonly arrived: number;
  /** Counts by class, without zeros. */
  readonly classes: ReadonlyMap<OutcomeClass, number>;
  readonly lagMaxMs: number;
  /** Of successes and timeouts. */
  readonly latency: Latencies;
  readonly byOperation: ReadonlyMap<Operation, Latencies>;
};

/** A run as at most `most` intervals of one length; the last may be shorter. */
export function timeSeries({ slices, sliceMs, measuredMs }: LoadRecord, most: number): readonly TimePoint[] {
  const size = Math.max(1, Math.ceil(slices.length / most));
  return Array.from({ length: Math.ceil(slices.length / size) }, (_, index) => {
    const own = slices.slice(index * size, (index + 1) * size);
    const fromMs = index * size * sliceMs;
    const wholeMs = fromMs + own.length * sliceMs;
    const isLast = (index + 1) * size >= slices.length;
    return {
      ...sumOf(own),
      fromMs,
      toMs: isLast && measuredMs > fromMs ? Math.min(wholeMs, Math.round(measuredMs)) : wholeMs,
    };
  });
}

function sumOf(slices: readonly LoadSlice[]): Omit<TimePoint, 'fromMs' | 'toMs'> {
  const times = operationsOf(slices).map((operation): [Operation, Latencies] => [
    operation,
    sumLatencies(slices.map(({ latency }) => latency[operation] ?? [])),
  ]);
  return {
    due: slices.reduce((sum, { due }) => sum + due, 0),
    arrived: slices.reduce((sum, slice) => sum + arrivedIn(slice), 0),
    classes: new Map(
      outcomeClasses.flatMap((kind): [typeof kind, number][] => {
        const count = slices.reduce((sum, { classes }) => sum + (classes[kind] ?? 0), 0);
        return count === 0 ? [] : [[kind, count]];
      }),
    ),
    lagMaxMs: Math.max(0, ...slices.map(({ lagMaxUs }) => lagMaxUs)) / 1000,
    latency: sumLatencies(times.map(([, { buckets }]) => buckets)),
    byOperation: new Map(times),
  };
}

function operationsOf(slices: readonly LoadSlice[]): readonly Operation[] {
  return operations.filter((operation) => slices.some(({ latency }) => (latency[operation] ?? []).length > 0));
}
