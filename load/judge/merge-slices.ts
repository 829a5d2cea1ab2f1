import { arrivedIn, type LoadSlice } from '../../reports/load/load-record.ts';

/** Adds up several time series that began together, slice by slice. */
export function mergeSlices(series: readonly (readonly LoadSlice[])[]): LoadSlice[] {
  const length = Math.max(0, ...series.map((slices) => slices.length));
  return Array.from({ length }, (_, index) => {
    const parts = series.flatMap((slices) => slices[index] ?? []);
    const classes: Record<string, number> = {};
    const latency: Record<string, Map<number, number>> = {};
    for (const part of parts) {
      for (const [kind, count] of Object.entries(part.classes)) classes[kind] = (classes[kind] ?? 0) + (count ?? 0);
      for (const [operation, pairs] of Object.entries(part.latency)) {
        const into = (latency[operation] ??= new Map());
        for (const [us, count] of pairs ?? []) into.set(us, (into.get(us) ?? 0) + count);
      }
    }
    const waiting = parts.reduce((sum, slice) => sum + (slice.waiting ?? 0), 0);
    return {
      due: parts.reduce((sum, { due }) => sum + due, 0),
      ...(waiting > 0 && { waiting }),
      arrived: parts.reduce((sum, slice) => sum + arrivedIn(slice), 0),
      classes,
      lagMaxUs: Math.max(0, ...parts.map(({ lagMaxUs }) => lagMaxUs)),
      latency: Object.fromEntries(
        Object.entries(latency).map(([operation, into]) => [
          operation,
          [...into].toSorted(([one], [other]) => one - other),
        ]),
      ),
    };
  });
}
