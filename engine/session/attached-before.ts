import { perRun } from './run-memory.ts';
import type { Session } from './session.ts';

/** A billing account's organizationCount before the run attached anything, and the organizations that looked attached then. */
type Known = { readonly count: number; readonly seeming: Set<string> };

const accountsIn = perRun(() => new Map<string, Known>());

/** Remembers the first organizationCount that was read of an account. */
export function rememberCount(session: Session, accountId: string, count: number | undefined): void {
  const accounts = accountsIn(session);
  if (count !== undefined && !accounts.has(accountId)) accounts.set(accountId, { count, seeming: new Set() });
}

/** Remembers that the organization looked attached before the run. */
export function seemsAttachedBefore(session: Session, accountId: string, organizationId: string): void {
  accountsIn(session).get(accountId)?.seeming.add(organizationId);
}

/**
 * How many more of the declared organizations an earlier run may have attached. No answer distinguishes an attached
 * organization from an uncounted one, so only the account's first count helps: it includes one organization that is not
 * declared, and the rest may be any. More uncounted organizations than that are a fault.
 */
export function mostAttachedBefore(session: Session, accountId: string): number {
  const known = accountsIn(session).get(accountId);
  return known === undefined ? 0 : Math.max(0, known.count - 1 - known.seeming.size);
}

/**
 * Whether the next organization that looks attached may be attached. If the account counts several, all of them may be declared
 * ones, because an account may leave its owner out. A count of one is taken to be the owner.
 */
export function mayBeAttachedBefore(session: Session, accountId: string): boolean {
  const known = accountsIn(session).get(accountId);
  if (known === undefined) return false;
  const most = known.count > 1 ? known.count : known.count - 1;
  return known.seeming.size < most;
}

export const attachedBefore =
  'every organization that could be attached looks as if it had been before this run: detach what earlier runs attached, or declare others under billingAccounts.<id>.attachable';
