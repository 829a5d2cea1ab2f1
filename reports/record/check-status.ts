import { type CheckRecord, checkVerdicts } from './record.ts';

/** What a check counts as: its verdict or, where a waiver or an accepted gap covers it, `waived` or `accepted`. */
export const checkStatuses = [...checkVerdicts, 'waived', 'accepted'] as const;
export type CheckStatus = (typeof checkStatuses)[number];

/** A requirement is as good as the worst of its checks. */
export const worstFirst = [
  'failed',
  'errored',
  'blocked',
  'warned',
  'waived',
  'accepted',
  'passed',
] as const satisfies readonly CheckStatus[];

/** The statuses of checks that every report describes one by one, worst first. */
export const reportedStatuses = ['failed', 'errored', 'warned', 'waived'] as const satisfies readonly CheckStatus[];

/** The title of the section that describes them. */
export const statusTitles: Readonly<Record<(typeof reportedStatuses)[number], string>> = {
  failed: 'Failed',
  errored: 'No verdict',
  warned: 'Warned',
  waived: 'Waived',
};

type Judged = Pick<CheckRecord, 'verdict' | 'waived' | 'accepted'>;

export function statusOf({ verdict, waived, accepted }: Judged): CheckStatus {
  if (waived !== undefined) return 'waived';
  return accepted === undefined ? verdict : 'accepted';
}

export function withStatus<Check extends Judged>(checks: readonly Check[], status: CheckStatus): readonly Check[] {
  return checks.filter((check) => statusOf(check) === status);
}

/** The columns of tables: `waived` and `accepted` only where a check is. */
export function statusColumns(checks: readonly Judged[]): readonly CheckStatus[] {
  const counts = countStatuses(checks);
  return [...checkVerdicts, ...(['waived', 'accepted'] as const).filter((status) => counts[status] > 0)];
}

/** An extended check that was blocked leaves the requirement to the others, where those were exercised. */
export function decisiveOf(own: readonly CheckRecord[], extended: ReadonlySet<string>): readonly CheckRecord[] {
  const decisive = own.filter(({ id, verdict }) => verdict !== 'blocked' || !extended.has(id));
  return decisive.some(({ verdict }) => verdict !== 'blocked') ? decisive : own;
}

/** Whether the target stopped answering during the run. */
export function isGone(checks: readonly CheckRecord[]): boolean {
  return checks.some(({ verdict, fault }) => verdict === 'blocked' && fault === 'target');
}

/** The test that fails in formats whose blocked tests fail no pipeline. */
export const goneTitle = 'the target answers until the end of the run';

export function countStatuses(checks: readonly Judged[]): Record<CheckStatus, number> {
  const counts = { passed: 0, failed: 0, warned: 0, blocked: 0, errored: 0, waived: 0, accepted: 0 };
  for (const check of checks) counts[statusOf(check)] += 1;
  return counts;
}
