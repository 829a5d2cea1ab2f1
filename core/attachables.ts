import type { Principal, Target } from './target.ts';

/** An organization that the target file allows to be attached, and a principal who is admin of it and of the owner. */
export type Attachable = {
  readonly billingAccountId: string;
  /** The organization that owns the account, according to the target file. */
  readonly owner: string;
  readonly organizationId: string;
  readonly admin: Principal;
};

/**
 * Every declared organization with an admin of both sides; first those of the account that has most, in the order of the target file.
 * Of several admins it is the one who may attach most to the account.
 */
export function attachablesOf(target: Pick<Target, 'billingAccounts' | 'principals'>): readonly Attachable[] {
  const accounts = target.billingAccounts.toSorted((a, b) => b.attachable.length - a.attachable.length);
  return accounts.flatMap((account) => {
    const admins = adminsOf(account, target.principals);
    return account.attachable.flatMap((organizationId) => {
      const admin = admins.find(({ adminOf }) => adminOf.includes(organizationId));
      return admin === undefined ? [] : [{ billingAccountId: account.id, owner: account.owner, organizationId, admin }];
    });
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
