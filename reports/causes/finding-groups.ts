import { type CheckStatus, statusOf, withStatus } from '../record/check-status.ts';
import type { Cause, CheckRecord, RunRecord } from '../record/record.ts';
import { some } from '../text/figures.ts';
import { causesOf } from './causes.ts';

/** The findings with one status that have one cause. */
export type FindingGroup = {
  readonly cause: Cause;
  /** The finding to read first; a check of the cause itself, unless the cause has another status. */
  readonly first: CheckRecord;
  /** Other checks of the same requirement, then the consequences. */
  readonly others: readonly CheckRecord[];
};

/** The findings of a status, the plainest cause first. What reached no verdict or is waived has no cause. */
export function findingGroups({ checks }: Pick<RunRecord, 'checks'>, status: CheckStatus): readonly FindingGroup[] {
  if (status !== 'failed' && status !== 'warned') {
    return withStatus(checks, status).map((check) => {
      const cause = { requirement: check.requirement, checks: [check.id], consequences: [] };
      return { cause, first: check, others: [] };
    });
  }
  return causesOf(checks).flatMap((cause) => {
    const ids = [cause, ...cause.consequences].map(({ requirement }) => requirement);
    const [first, ...others] = ids.flatMap((id) =>
      checks
        .filter((check) => check.requirement === id && statusOf(check) === status)
        .toSorted((one, other) => variants(one) - variants(other)),
    );
    return first === undefined ? [] : [{ cause, first, others }];
  });
}

/** How far a check is from the plain one of its requirement. */
function variants({ id }: CheckRecord): number {
  return id.split('/').length;
}

/** Whether the cause of these findings is among those of another status. */
export function isConsequence({ cause, first }: FindingGroup): boolean {
  return first.requirement !== cause.requirement;
}

/** What folds the other findings of a group, as a sentence without its full stop; undefined if it has only one. */
export function groupSentence(group: FindingGroup): string | undefined {
  const { cause, others } = group;
  if (isConsequence(group)) return `Explained by ${cause.requirement}: ${some(1 + others.length, 'finding')}`;
  const same = others.filter(({ requirement }) => requirement === cause.requirement).length;
  const parts = [
    ...(same === 0 ? [] : [`${some(same, 'more check')} of this requirement`]),
    ...(others.length === same ? [] : [some(others.length - same, 'consequence')]),
  ];
  return parts.length === 0 ? undefined : `Explains ${parts.join(' and ')}`;
}
