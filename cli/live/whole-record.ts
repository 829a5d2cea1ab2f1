import type { LoadRecord, LoadSlice } from '../../reports/load/load-record.ts';
import type { Changes } from '../../load/measure/changed-slices.ts';

/** Combines snapshots, each of which has only the changed slices, into whole records. A snapshot with another start is of another load. */
export function createWholeRecord() {
  let startedAt = '';
  let slices: LoadSlice[] = [];
  return ({ record, changed }: Changes): LoadRecord => {
    if (record.startedAt !== startedAt) slices = [];
    ({ startedAt } = record);
    record.slices.forEach((slice, index) => (slices[changed[index] ?? index] = slice));
    return { ...record, slices };
  };
}
