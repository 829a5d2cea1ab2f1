import { type CheckRecord, checkVerdicts } from './record.ts';

/** How a check stands in a report: by its verdict or, where a waiver covers its violation, as `waived`. */
export const standings = [...checkVerdicts, 'waived'] as const;

export type Standing = (typeof standings)[number];

export function standingOf({ verdict, waived }: Pick<CheckRecord, 'verdict' | 'waived'>): Standing {
  return waived === undefined ? verdict : 'waived';
}

/** The standings that tables have a column for: `waived` is among them only where something is. */
export function shownStandings(checks: readonly Pick<CheckRecord, 'verdict' | 'waived'>[]): readonly Standing[] {
  return checks.some(({ waived }) => waived !== undefined) ? standings : checkVerdicts;
}
