import { arrivedIn, type LoadRecord, type LoadSlice, outcomeClasses } from '../../reports/load/load-record.ts';
import { operations as allOperations } from '../../spec/requirement.ts';
import { profileRecord, sliceRecords } from '../judge/build-record.ts';
import type { Ending } from '../judge/conclude.ts';
import { mergeOperations } from '../judge/merge-answers.ts';
import { mergeLags } from '../judge/merge-generators.ts';
import { mergeRecords } from '../judge/merge.ts';
import { mergeSlices } from '../judge/merge-slices.ts';
import { type BucketCounts, createBucketCounts } from '../measure/bucket-counts.ts';
import { createMeasurement, type Measurement, type Slice } from '../measure/measurement.ts';
import type { ProgressReport } from '../measure/report-progress.ts';
import type { Profile } from '../profile/profile.ts';
import type { PartProgress } from './worker-messages.ts';

/**
 * Reports the progress of the whole load each time the first part reports, once every part has reported. Its records have no times
 * until the parts know that the load is watched, unless a condition to end early needs them.
 */
export function mergeProgress(profile: Profile, of: number) {
  const { plannedMs } = profile.load;
  const parts = new Map<number, PartProgress>();
  const slices: LoadSlice[][] = Array.from({ length: of }, () => []);
  const measurement = createMeasurement(plannedMs ?? 0);

  return (place: number, progress: PartProgress): ProgressReport | undefined => {
    parts.set(place, progress);
    for (const [at, index] of progress.changed.entries()) {
      const [own, slice] = [slices[place], progress.record.slices[at]];
      if (own !== undefined && slice !== undefined) own[index] = slice;
      const [merged] = mergeSlices(slices.map((all) => all.slice(index, index + 1)));
      if (merged !== undefined) measurement.slices[index] = sliceOf(merged);
    }
    if (place > 0 || parts.size < of) return undefined;
    const reports = [...parts.values()];
    const records = reports.map(({ record }) => ({ ...record, slices: [] }));
    measureInto(measurement, records);
    return {
      elapsedMs: progress.elapsedMs,
      plannedMs,
      measurement,
      broken: reports.reduce((sum, { broken }) => sum + broken, 0),
      recordOf(some) {
        return { ...mergeWorkers(profile, records), slices: sliceRecords(some) };
      },
    };
  };
}

/** The record of the whole load, of those of all workers. The profile of a worker has no conditions to end early. */
export function mergeWorkers(profile: Profile, records: readonly LoadRecord[], ending?: Ending): LoadRecord {
  const merged = mergeRecords(records, ending);
  if (merged.kind === 'refused') throw new Error(`the workers' records do not merge: ${merged.reason}`);
  return { ...merged.record, profile: profileRecord(profile) };
}

function measureInto(to: Measurement, records: readonly LoadRecord[]): void {
  for (const [operation, measure] of mergeOperations(records)) to.operations.set(operation, measure);
  to.lag.reset();
  to.lag.add(mergeLags(records.map(({ generator }) => generator)));
  to.warmUp = records.reduce((sum, { warmUp }) => sum + warmUp, 0);
}

function sliceOf(slice: LoadSlice): Slice {
  const { due, classes, lagMaxUs, latency } = slice;
  return {
    scheduled: due,
    waiting: slice.waiting ?? 0,
    arrived: arrivedIn(slice),
    classes: new Map(outcomeClasses.flatMap((kind) => (classes[kind] === undefined ? [] : [[kind, classes[kind]]]))),
    latency: new Map(
      allOperations.flatMap((operation) =>
        latency[operation] === undefined ? [] : [[operation, countsOf(latency[operation])]],
      ),
    ),
    lagMaxUs,
  };
}

function countsOf(pairs: readonly (readonly [bucket: number, count: number])[]): BucketCounts {
  const counts = createBucketCounts();
  for (const [bucket, count] of pairs) counts.add(bucket, count);
  return counts;
}
