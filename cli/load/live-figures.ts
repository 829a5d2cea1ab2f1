import { sum } from '../../core/numbers.ts';
import { pointOf } from '../../load/measure/distribution.ts';
import { createHistogram } from '../../load/measure/histogram.ts';
import type { Measurement, Slice } from '../../load/measure/measurement.ts';
import type { LoadProgress } from '../../load/measure/report-progress.ts';
import type { LiveFigures } from '../../reports/load/live-load.ts';

/** The current figures cover this many completed slices. */
const lastSlices = 5;

export function liveFigures({ elapsedMs, measurement }: LoadProgress): LiveFigures {
  const { sliceMs, operations } = measurement;
  const over = Math.floor(elapsedMs / sliceMs);
  const isFirst = over < 1;
  // Until the first slice is complete, it is used as it is.
  const slices = isFirst
    ? measurement.slices.slice(0, 1)
    : measurement.slices.slice(Math.max(0, over - lastSlices), over);
  // A slice exists only if something happened in it, so the time comes from the clock.
  const seconds = (isFirst ? Math.max(1, elapsedMs) : Math.min(over, lastSlices) * sliceMs) / 1000;
  const outcomes = new Map<string, number>();
  for (const [outcome, { count }] of [...operations.values()].flatMap((operation) => [...operation.outcomes])) {
    outcomes.set(String(outcome), (outcomes.get(String(outcome)) ?? 0) + count);
  }
  return {
    seconds,
    offeredPerSecond: sum(slices.map(({ scheduled }) => scheduled)) / seconds,
    succeededPerSecond: sum(slices.map(({ arrived }) => arrived)) / seconds,
    latencyMs: latencyOf(slices),
    waiting: waitingIn(measurement, elapsedMs),
    lagMs: Math.max(0, ...slices.map(({ lagMaxUs }) => lagMaxUs)) / 1000,
    capped: sum([...operations.values()].map(({ capped }) => capped)),
    outcomes: [...outcomes].toSorted(([, one], [, other]) => other - one),
  };
}

function waitingIn({ slices, sliceMs }: Measurement, elapsedMs: number): LiveFigures['waiting'] {
  const oldest = slices.findIndex(({ waiting }) => waiting > 0);
  return {
    requests: sum(slices.map(({ waiting }) => waiting)),
    oldestMs: oldest < 0 ? 0 : Math.max(0, elapsedMs - (oldest + 1) * sliceMs),
  };
}

function latencyOf(slices: readonly Slice[]): LiveFigures['latencyMs'] {
  const times = createHistogram();
  for (const buckets of slices.flatMap(({ latency }) => [...latency.values()])) {
    for (const [us, count] of buckets.entries()) times.recordValueWithCount(us, count);
  }
  if (times.totalCount === 0) return undefined;
  return { p50: pointOf(times, 'p50'), p95: pointOf(times, 'p95'), p99: pointOf(times, 'p99') };
}
