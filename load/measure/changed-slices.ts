import type { Measurement, Slice } from './measurement.ts';

/** The slices of a measurement in which something happened since the last call. */
export function createChanges() {
  let last: Measurement | undefined;
  let seen: number[] = [];
  return (measurement: Measurement): readonly { readonly index: number; readonly slice: Slice }[] => {
    if (measurement !== last) seen = [];
    last = measurement;
    return measurement.slices.flatMap((slice, index) => {
      const events = eventsIn(slice);
      if (seen[index] === events) return [];
      seen[index] = events;
      return [{ index, slice }];
    });
  };
}

function eventsIn({ scheduled, classes }: Slice): number {
  return [...classes.values()].reduce((sum, count) => sum + count, scheduled);
}
