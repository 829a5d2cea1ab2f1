import type { Principal, Target } from './target.ts';

/** An organization that the target file allows to be attached, and a principal who is admin of it and of the owner. */
export type Attachable = {
  readonly billingAccountId: string;
  /** The organization that owns the account, according to the target file. */
  readonly owner: string;
  readonly organizationId: string;
  readonly admin: Principal;
};

/** Every declared organization with an admin of both sides; first those of the account that has most, in the order of the target file. */
export function attachablesOf(target: Pick<Target, 'billingAccounts' | 'principals'>): readonly Attachable[] {
  const accounts = target.billingAccounts.toSorted((a, b) => b.attachable.length - a.attachable.length);
  return accounts.flatMap(({ id, owner, attachable }) =>
    attachable.flatMap((organizationId) => {
      const admin = target.principals.find(
        ({ adminOf }) => adminOf.includes(owner) && adminOf.includes(organizationId),
      );
      return admin === undefined ? [] : [{ billingAccountId: id, owner, organizationId, admin }];
    }),
  );
}
