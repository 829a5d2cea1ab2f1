import { type CheckRecord, checkVerdicts } from './record.ts';

/** What a check counts as: its verdict or, where a waiver covers its violation, `waived`. */
export const checkStatuses = [...checkVerdicts, 'waived'] as const;
export type CheckStatus = (typeof checkStatuses)[number];

/** The statuses of checks that every report describes one by one, worst first. */
export const reportedStatuses = ['failed', 'errored', 'warned', 'waived'] as const satisfies readonly CheckStatus[];

/** The title of the section that describes them. */
export const statusTitles: Readonly<Record<(typeof reportedStatuses)[number], string>> = {
  failed: 'Failed',
  errored: 'No verdict',
  warned: 'Warned',
  waived: 'Waived',
};

type Judged = Pick<CheckRecord, 'verdict' | 'waived'>;

export function statusOf({ verdict, waived }: Judged): CheckStatus {
  return waived === undefined ? verdict : 'waived';
}

export function withStatus<Check extends Judged>(checks: readonly Check[], status: CheckStatus): readonly Check[] {
  return checks.filter((check) => statusOf(check) === status);
}

/** The columns of tables: `waived` only where a check is. */
export function statusColumns(checks: readonly Judged[]): readonly CheckStatus[] {
  return checks.some(({ waived }) => waived !== undefined) ? checkStatuses : checkVerdicts;
}

export function countStatuses(checks: readonly Judged[]): Record<CheckStatus, number> {
  const counts = { passed: 0, failed: 0, warned: 0, blocked: 0, errored: 0, waived: 0 };
  for (const check of checks) counts[statusOf(check)] += 1;
  return counts;
}
