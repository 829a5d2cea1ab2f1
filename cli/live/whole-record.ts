import type { LoadRecord, LoadSlice } from '../../reports/load/load-record.ts';
import type { LoadSnapshot } from './snapshot.ts';

/** Puts the records of snapshots together, which have only the slices that changed. One with another start is of another load. */
export function createWholeRecord() {
  let startedAt = '';
  let slices: LoadSlice[] = [];
  return ({ record, changed }: Pick<LoadSnapshot, 'record' | 'changed'>): LoadRecord => {
    if (record.startedAt !== startedAt) slices = [];
    ({ startedAt } = record);
    record.slices.forEach((slice, index) => (slices[changed[index] ?? index] = slice));
    return { ...record, slices };
  };
}
