import type { Api } from '../../engine/api.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import type { Session } from '../../engine/session/session.ts';
import type { Principal } from '../../core/target.ts';
import { Blocked } from '../../engine/verdict.ts';

/** An organization that the target file lets the suite attach, and a principal who is admin of it and of the owner. */
export type Attachable = {
  readonly billingAccountId: string;
  /** The organization that owns the account, as the target file says. */
  readonly owner: string;
  readonly organizationId: string;
  readonly admin: Principal;
};

/** What this run took: an organization is attached once. */
const takenIn = perRun(() => new Set<string>());

/**
 * An organization that stays unattached: for a check that expects its request to be refused. Blocked where there is none.
 * The last one, so that takers and lookers seldom meet.
 */
export function givenAttachable(api: Api): Attachable {
  const last = untaken(api).at(-1);
  if (last === undefined) throw new Blocked(whyNone(api));
  return last;
}

/**
 * An organization to attach: no other check gets it. A check that only needs some accepted attachment should read the
 * recorded one instead, because targets declare few. Blocked if none is left.
 */
export function takeAttachable(api: Api): Attachable {
  const [chosen] = untaken(api);
  if (chosen === undefined) throw new Blocked(whyNone(api));
  takenIn(api.session).add(chosen.organizationId);
  return chosen;
}

/** Another organization to attach to the same account with the same key; undefined if none is left. */
export function takeAnother(api: Api, { billingAccountId, admin }: Attachable): Attachable | undefined {
  const another = untaken(api).find((one) => one.billingAccountId === billingAccountId && one.admin === admin);
  if (another !== undefined) takenIn(api.session).add(another.organizationId);
  return another;
}

/** Takes out one that a request attached which should have been refused: it serves no other check. */
export function discardAttachable(api: Api, { organizationId }: Attachable): void {
  takenIn(api.session).add(organizationId);
}

/** Every declared organization with an admin of both sides, in the order of the target file. */
function usable({ target }: Session): readonly Attachable[] {
  return target.billingAccounts.flatMap(({ id, owner, attachable }) =>
    attachable.flatMap((organizationId) => {
      const admin = target.principals.find(
        ({ adminOf }) => adminOf.includes(owner) && adminOf.includes(organizationId),
      );
      return admin === undefined ? [] : [{ billingAccountId: id, owner, organizationId, admin }];
    }),
  );
}

function untaken({ session }: Api): readonly Attachable[] {
  const taken = takenIn(session);
  return usable(session).filter(({ organizationId }) => !taken.has(organizationId));
}

function whyNone({ session }: Api): string {
  if (usable(session).length > 0) {
    return 'this run used up every attachable organization: declare more under billingAccounts.<id>.attachable';
  }
  return session.target.billingAccounts.some(({ attachable }) => attachable.length > 0)
    ? 'no principal is adminOf both an attachable organization and the owner of its billing account'
    : 'no organization may be attached: declare billingAccounts.<id>.attachable, organizations that are not attached yet';
}
