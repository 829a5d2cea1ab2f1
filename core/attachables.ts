import type { Principal, Target } from './target.ts';

/** An organization that the target file allows to be attached, and a principal who is admin of it and of the owner. */
export type Attachable = {
  readonly billingAccountId: string;
  /** The organization that owns the account, according to the target file. */
  readonly owner: string;
  readonly organizationId: string;
  readonly admin: Principal;
};

/** With so many organizations of one account, a run can test nearly everything about attachments. */
const enough = 4;

/**
 * Every declared organization with an admin of both sides; first those of the account that shows most. That is one with enough of them,
 * or with most. Of several such accounts it is one where an outsider shows what an attachment must not open. The order within an account
 * is that of the target file. Of several admins it is the one who may attach most to the account.
 */
export function attachablesOf({
  billingAccounts,
  principals,
}: Pick<Target, 'billingAccounts' | 'principals'>): readonly Attachable[] {
  const accounts = billingAccounts.map((account) => {
    const attachables = attachablesTo(account, principals);
    const hasOutsiders = attachables.some((one) => hasOutsider(one, principals));
    return {
      attachables,
      most: attachables.length,
      rank: 2 * Math.min(enough, attachables.length) + Number(hasOutsiders),
    };
  });
  return accounts.toSorted((a, b) => b.rank - a.rank || b.most - a.most).flatMap(({ attachables }) => attachables);
}

/** Whether an admin of the organization is none of the account's owner. */
export function hasOutsider({ organizationId, owner }: Attachable, principals: readonly Principal[]): boolean {
  return principals.some(({ adminOf }) => adminOf.includes(organizationId) && !adminOf.includes(owner));
}

function attachablesTo(
  account: Target['billingAccounts'][number],
  principals: readonly Principal[],
): readonly Attachable[] {
  const admins = adminsOf(account, principals);
  return account.attachable.flatMap((organizationId) => {
    const admin = admins.find(({ adminOf }) => adminOf.includes(organizationId));
    return admin === undefined ? [] : [{ billingAccountId: account.id, owner: account.owner, organizationId, admin }];
  });
}

/** Those who may attach most first, and of these the ones whose organizations come first. */
function adminsOf(
  { owner, attachable }: Target['billingAccounts'][number],
  principals: readonly Principal[],
): readonly Principal[] {
  const reaches = principals
    .filter(({ adminOf }) => adminOf.includes(owner))
    .map((principal) => {
      const own = new Set(principal.adminOf);
      const places = [...attachable.keys()].filter((place) => own.has(attachable[place] ?? ''));
      return { principal, most: places.length, first: places[0] ?? attachable.length };
    });
  return reaches.toSorted((a, b) => b.most - a.most || a.first - b.first).map(({ principal }) => principal);
}
