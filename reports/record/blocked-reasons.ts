import type { RunRecord } from './record.ts';

/** One reason why nothing was learned, and the checks, or requirements without a check, that it keeps from running. */
export type BlockedReason = { readonly reason: string; readonly ids: readonly string[] };

/** What was not exercised, by reason: what unblocks one of a reason unblocks all of them. */
export function blockedReasons({ checks, requirements }: RunRecord): readonly BlockedReason[] {
  const withoutCheck = requirements.filter(({ verdict, checks: own }) => verdict === 'blocked' && own.length === 0);
  const all = [...checks.filter(({ verdict }) => verdict === 'blocked'), ...withoutCheck];
  const byReason = Map.groupBy(all, ({ reason }) => reason ?? 'no reason was given');
  return [...byReason].map(([reason, own]) => ({ reason, ids: own.map(({ id }) => id) }));
}
