import { areaOf } from '../../spec/areas.ts';
import type { CheckRecord } from './record.ts';

/** The checks of one area. */
export type Area = { readonly name: string; readonly checks: readonly CheckRecord[] };

/** The area of a check or requirement; `own` for a vendor's own check. */
export function areaName(id: string): string {
  return areaOf(id) ?? 'own';
}

/** The areas, in the order in which they first appear. */
export function areasOf(checks: readonly CheckRecord[]): readonly Area[] {
  return [...Map.groupBy(checks, ({ id }) => areaName(id))].map(([name, own]) => ({ name, checks: own }));
}
