import type { LoadRecord } from '../../reports/load/load-record.ts';
import type { Measurement, Slice } from './measurement.ts';
import type { Detail, ProgressReport } from './report-progress.ts';

/** The record of a run so far, with only the slices in which something happened since the last one. */
export type Changes = {
  readonly record: LoadRecord;
  /** Where these slices are in the run. */
  readonly changed: readonly number[];
};

/** The changes since the last call. Another measurement begins anew. */
export function createChanges() {
  let last: Measurement | undefined;
  let seen: number[] = [];
  return ({ measurement, recordOf }: Pick<ProgressReport, 'measurement' | 'recordOf'>, detail?: Detail): Changes => {
    if (measurement !== last) seen = [];
    last = measurement;
    const changed: number[] = [];
    const slices = measurement.slices.filter((slice, index) => {
      const events = eventsIn(slice);
      if (seen[index] === events) return false;
      seen[index] = events;
      changed.push(index);
      return true;
    });
    return { record: recordOf(slices, detail), changed };
  };
}

function eventsIn({ scheduled, arrived, classes }: Slice): number {
  return [...classes.values()].reduce((sum, count) => sum + count, scheduled + arrived);
}
