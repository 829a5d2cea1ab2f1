import type { Api } from '../../engine/api.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import { usedUp } from '../../engine/session/used-up.ts';
import type { Principal } from '../../core/target.ts';
import { type Attachable, attachablesOf, hasOutsider } from '../../core/attachables.ts';
import { Blocked } from '../../engine/verdict.ts';

/** The organizations that this run took, because each can be attached only once. */
const takenIn = perRun(() => new Set<string>());
/** Those that checks watch to the end of the run: they are taken only if there is no other. */
const watchedIn = perRun(() => new Set<string>());

/**
 * An organization that stays unattached, for a check whose request must be refused. Blocked if there is none. It is the
 * last one, because organizations to attach are taken from the start.
 */
export function givenAttachable(api: Api): Attachable {
  return lastOnes(api)[0];
}

/** The same, and another one of the same account that stays unattached to the end if enough are declared. */
export function givenAttachables(api: Api): readonly [Attachable, ...Attachable[]] {
  const [last, another] = lastOnes(api);
  if (another === undefined) return [last];
  watchedIn(api.session).add(another.organizationId);
  return [last, another];
}

function lastOnes(api: Api): readonly [Attachable, Attachable | undefined] {
  const [first, ...others] = untaken(api);
  if (first === undefined) throw new Blocked(whyNone(api));
  // Of the account that gets the accepted attachments too, because its count shows both, and first of the key that attaches.
  const isSameKey = ({ admin }: Attachable): number => Number(admin === first.admin);
  const [last = first, another] = others
    .filter(({ billingAccountId }) => billingAccountId === first.billingAccountId)
    .toSorted((one, other) => isSameKey(one) - isSameKey(other))
    .toReversed();
  return [last, another];
}

/**
 * An organization to attach, which no other check gets: first of all one with an outsider, who shows what an attachment must not open.
 * A check that only needs some accepted attachment should read the recorded one instead, because targets declare few. Blocked if none
 * is left.
 */
export function takeAttachable(api: Api): Attachable {
  const { principals } = api.session.target;
  const inTurn = unwatchedFirst(api);
  const [first] = inTurn;
  const isLikeFirst = (one: Attachable): boolean =>
    one.billingAccountId === first?.billingAccountId &&
    one.admin === first.admin &&
    isWatched(api, one) === isWatched(api, first);
  const chosen = inTurn.find((one) => isLikeFirst(one) && hasOutsider(one, principals)) ?? first;
  if (chosen === undefined) throw new Blocked(whyNone(api));
  takenIn(api.session).add(chosen.organizationId);
  return chosen;
}

/** Another organization to attach to the same account with the same key; undefined if none is left, or none that is to spare. */
export function takeAnother(
  api: Api,
  { billingAccountId, admin }: Attachable,
  which: 'any' | 'to spare' = 'any',
): Attachable | undefined {
  const another = unwatchedFirst(api).find(
    (one) =>
      one.billingAccountId === billingAccountId && one.admin === admin && (which === 'any' || !isWatched(api, one)),
  );
  if (another !== undefined) takenIn(api.session).add(another.organizationId);
  return another;
}

/** Two more organizations to attach to the same account with the same key; undefined if fewer pairs than that are left. */
export function takePair(api: Api, like: Attachable, pairs: number): readonly [Attachable, Attachable] | undefined {
  const { billingAccountId, admin } = like;
  const left = untaken(api).filter((one) => one.billingAccountId === billingAccountId && one.admin === admin);
  if (left.length < 2 * pairs) return undefined;
  const [first, second] = [takeAnother(api, like), takeAnother(api, like)];
  return first === undefined || second === undefined ? undefined : [first, second];
}

/**
 * The last organization that can be attached to the same account with the same key; undefined if none is left. Checks whose
 * requests must be refused name it before, so its attachment shows whether they left a trace.
 */
export function takeLast(api: Api, { billingAccountId, admin }: Attachable): Attachable | undefined {
  const left = untaken(api).filter((one) => one.billingAccountId === billingAccountId && one.admin === admin);
  const last = left.findLast((one) => !isWatched(api, one)) ?? left.at(-1);
  if (last !== undefined) takenIn(api.session).add(last.organizationId);
  return last;
}

/** An organization to attach to another account, first of all one of the same owner; undefined if none is to spare. */
export function takeElsewhere(api: Api, { billingAccountId, owner }: Attachable): Attachable | undefined {
  const elsewhere = untaken(api).filter((one) => one.billingAccountId !== billingAccountId && !isWatched(api, one));
  const found = elsewhere.find((one) => one.owner === owner) ?? elsewhere[0];
  if (found !== undefined) takenIn(api.session).add(found.organizationId);
  return found;
}

/** An organization that two admins may attach, to whatever account; undefined if none is left. */
export function takeWhereTwoMay(api: Api): Attachable | undefined {
  const found = unwatchedFirst(api).find((one) => otherAdmin(api, one) !== undefined);
  if (found !== undefined) takenIn(api.session).add(found.organizationId);
  return found;
}

/** Another admin of both sides; undefined if there is none. */
export function otherAdmin({ session }: Api, { owner, organizationId, admin }: Attachable): Principal | undefined {
  return session.target.principals.find(
    (one) => one !== admin && one.adminOf.includes(owner) && one.adminOf.includes(organizationId),
  );
}

/** Withdraws an organization that a request attached although it had to be refused. */
export function discardAttachable(api: Api, { organizationId }: Attachable): void {
  takenIn(api.session).add(organizationId);
}

/** Whether this run attached it, or saw it attached by a request that had to be refused. */
export function isTaken({ session }: Api, organizationId: string): boolean {
  return takenIn(session).has(organizationId);
}

/** The organizations that this run attached to the account: certainly, or perhaps. */
export function attachedTo({ session }: Api, billingAccountId: string, how: 'certainly' | 'perhaps'): Set<string> {
  const own = usedUp(session).attachments.filter((one) => one.billingAccountId === billingAccountId);
  return new Set(own.filter(({ certain }) => certain || how === 'perhaps').map(({ organizationId }) => organizationId));
}

function untaken({ session }: Api): readonly Attachable[] {
  const taken = takenIn(session);
  return attachablesOf(session.target).filter(({ organizationId }) => !taken.has(organizationId));
}

function unwatchedFirst(api: Api): readonly Attachable[] {
  return untaken(api).toSorted((one, other) => Number(isWatched(api, one)) - Number(isWatched(api, other)));
}

function isWatched({ session }: Api, { organizationId }: Attachable): boolean {
  return watchedIn(session).has(organizationId);
}

function whyNone({ session }: Api): string {
  if (attachablesOf(session.target).length > 0) {
    return 'this run used up every attachable organization: declare more under billingAccounts.<id>.attachable';
  }
  return session.target.billingAccounts.some(({ attachable }) => attachable.length > 0)
    ? 'no principal is adminOf both an attachable organization and the owner of its billing account'
    : 'no organization may be attached: declare billingAccounts.<id>.attachable, organizations that are not attached yet';
}
