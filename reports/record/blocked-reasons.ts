import { withStatus } from './check-status.ts';
import type { RunRecord } from './record.ts';

/** A reason, and the ids of the checks, or of requirements without a check, that it blocks. */
export type BlockedReason = { readonly reason: string; readonly ids: readonly string[] };

/** Everything that is blocked and not accepted, by reason: checks with one reason are unblocked together. */
export function blockedReasons({ checks, requirements }: RunRecord): readonly BlockedReason[] {
  const withoutCheck = requirements.filter(({ verdict, checks: own }) => verdict === 'blocked' && own.length === 0);
  const all = [...withStatus(checks, 'blocked'), ...withoutCheck];
  const byReason = Map.groupBy(all, ({ reason }) => reason ?? 'no reason was given');
  return [...byReason].map(([reason, own]) => ({ reason, ids: own.map(({ id }) => id) }));
}
