import { createHistogram } from '../load/histogram.ts';
import type { LoadProgress } from '../load/run-load.ts';

/** Where there is no terminal to write over, a line every so many reports. */
const plainEvery = 10;
/** What "now" means: so many of the last slices. */
const lastSlices = 5;

/** Shows a load run while it goes on: one line, written over on a terminal. */
export function showLoadProgress(stream: NodeJS.WriteStream): {
  readonly tell: (progress: LoadProgress) => void;
  readonly end: () => void;
} {
  let told = 0;
  const clear = () => void (stream.isTTY && stream.write('\r\u001b[2K'));
  return {
    tell(progress) {
      told += 1;
      if (stream.isTTY) {
        clear();
        stream.write(progressLine(progress));
      } else if (told % plainEvery === 0) stream.write(`${progressLine(progress)}\n`);
    },
    end: clear,
  };
}

/** Of the last seconds: rate asked and given, percentiles, what was no success, lag. */
export function progressLine({ elapsedMs, plannedMs, measurement, broken }: LoadProgress): string {
  if (elapsedMs < 0) return `warming up, ${(-elapsedMs / 1000).toFixed(0)} s left`;
  const { sliceMs } = measurement;
  const current = Math.floor(elapsedMs / sliceMs);
  const slices = measurement.slices.slice(Math.max(0, current - lastSlices), current);
  const seconds = Math.max(1, slices.length) * (sliceMs / 1000);
  const times = createHistogram();
  const counts = new Map<string, number>();
  let due = 0;
  let lagUs = 0;
  for (const slice of slices) {
    due += slice.due;
    lagUs = Math.max(lagUs, slice.lagMaxUs);
    for (const [kind, count] of slice.classes) counts.set(kind, (counts.get(kind) ?? 0) + count);
    for (const buckets of slice.latency.values()) {
      for (const [us, count] of buckets.entries()) times.recordValueWithCount(us, count);
    }
  }
  const at = (percentile: number) => (times.getValueAtPercentile(percentile) / 1000).toFixed(1);
  const others = [...counts].filter(([kind]) => kind !== 'ok').map(([kind, count]) => `${count} ${kind}`);
  const parts = [
    `${(elapsedMs / 1000).toFixed(0)} of ${(plannedMs / 1000).toFixed(0)} s`,
    `asked ${(due / seconds).toFixed(0)}/s, given ${((counts.get('ok') ?? 0) / seconds).toFixed(0)}/s`,
    `p50 ${at(50)} p95 ${at(95)} p99 ${at(99)} ms`,
    ...others,
    ...(broken > 0 ? [`${broken} broken`] : []),
    `lag ${(lagUs / 1000).toFixed(1)} ms`,
  ];
  return parts.join(' · ');
}
