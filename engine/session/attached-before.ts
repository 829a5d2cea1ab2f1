import { perRun } from './run-memory.ts';
import type { Session } from './session.ts';

/** What the run knows of a billing account: its organizationCount before anything was attached, and who seemed attached. */
type Known = { readonly count: number; readonly seeming: Set<string> };

const accountsIn = perRun(() => new Map<string, Known>());

/** Remembers the first organizationCount that was read of an account. */
export function rememberCount(session: Session, accountId: string, count: number | undefined): void {
  const accounts = accountsIn(session);
  if (count !== undefined && !accounts.has(accountId)) accounts.set(accountId, { count, seeming: new Set() });
}

/** Takes the organization for one that was attached before the run. */
export function seemsAttachedBefore(session: Session, accountId: string, organizationId: string): void {
  accountsIn(session).get(accountId)?.seeming.add(organizationId);
}

/**
 * How many more of the declared organizations an earlier run may have attached. No answer tells an attached one from one
 * that is not counted, so that the account's own count is all there is: it bills one that is not declared, and the rest of
 * what it counted at first may be any. Whoever finds more than so many uncounted has found a fault.
 */
export function mostAttachedBefore(session: Session, accountId: string): number {
  const known = accountsIn(session).get(accountId);
  return known === undefined ? 0 : Math.max(0, known.count - 1 - known.seeming.size);
}

/**
 * Whether the next one that looks attached may be. Where several are counted, all of them may be such: an account may leave
 * its owner out of the count. Of one that is counted alone it is taken to be the owner.
 */
export function mayBeAttachedBefore(session: Session, accountId: string): boolean {
  const known = accountsIn(session).get(accountId);
  if (known === undefined) return false;
  const most = known.count > 1 ? known.count : known.count - 1;
  return known.seeming.size < most;
}

export const attachedBefore =
  'every organization that could be attached looks as if it had been before this run: detach what earlier runs attached, or declare others under billingAccounts.<id>.attachable';
