import type { CheckRecord } from './record.ts';

/** The checks of one area, the part of their ids before the first dot. */
export type Area = { readonly name: string; readonly checks: readonly CheckRecord[] };

export function areaOf(id: string): string {
  return id.split('.', 1)[0] ?? id;
}

/** The areas, in the order in which they first appear. */
export function areasOf(checks: readonly CheckRecord[]): readonly Area[] {
  return [...Map.groupBy(checks, ({ id }) => areaOf(id))].map(([name, own]) => ({ name, checks: own }));
}
