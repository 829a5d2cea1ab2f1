import { withStatus } from './check-status.ts';
import type { RunRecord } from './record.ts';

/** A reason, and the ids of the checks, or of requirements without a check, that it blocks. */
export type BlockedReason = {
  readonly reason: string;
  readonly ids: readonly string[];
  /** Whether a must is not exercised for this reason, which leaves the verdict incomplete. */
  readonly leavesMust: boolean;
};

/**
 * Everything that is blocked and not accepted, by reason: checks with one reason are unblocked together. What leaves a must
 * unexercised comes first.
 */
export function blockedReasons({ checks, requirements }: RunRecord): readonly BlockedReason[] {
  const withoutCheck = requirements.filter(({ verdict, checks: own }) => verdict === 'blocked' && own.length === 0);
  const exercised = new Set(requirements.filter(({ verdict }) => verdict !== 'blocked').map(({ id }) => id));
  const all = [...withStatus(checks, 'blocked'), ...withoutCheck];
  const byReason = Map.groupBy(all, ({ reason }) => reason ?? 'no reason was given');
  const reasons = [...byReason].map(([reason, own]) => ({
    reason,
    ids: own.map(({ id }) => id),
    leavesMust: own.some(
      (one) => one.level === 'must' && !exercised.has('requirement' in one ? one.requirement : one.id),
    ),
  }));
  return reasons.toSorted((one, other) => Number(other.leavesMust) - Number(one.leavesMust));
}
