import type { Answer } from '../../core/exchange.ts';
import type { Principal } from '../../core/target.ts';
import { type Api, as } from '../../engine/api.ts';
import { shared } from '../../engine/fixture.ts';
import { Blocked } from '../../engine/verdict.ts';
import { attachedTo, givenAttachables } from '../../stage/attachment/attachables.ts';
import { givenAcceptedAttachment } from '../../stage/attachment/attachment.ts';
import { countIn, readNoEarlier } from '../../stage/attachment/counts.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { countAround } from '../shared/count-untouched.ts';
import { noteMistake } from '../shared/mistakes.ts';

/** Which of the two roles a principal has. */
type Roles = { readonly organization: boolean; readonly owner: boolean };

/** The roles that are too few to attach. */
export const lesserRoles = {
  owner: { organization: false, owner: true, who: 'admin of the owner alone' },
  organization: { organization: true, owner: false, who: 'admin of the attached organization alone' },
  none: { organization: false, owner: false, who: 'admin of neither' },
} as const;
export type LesserRoles = keyof typeof lesserRoles;

type Attempt = {
  readonly principal: Principal;
  readonly billingAccountId: string;
  readonly owner: string;
  readonly organizationId: string;
};

export type Denied = Attempt & { readonly answer: Answer };

/** The most attempts of one kind. */
export const maxAttempts = 3;

/** Attachments by principals who lack a role, sent before anything is attached, and organizationCount around them. */
export const givenDenied = shared(async (api: Api) => {
  const attachables = givenAttachables(api);
  const [attachable] = attachables;
  const { billingAccountId, owner } = attachable;
  const lacks = ({ adminOf }: Principal, id: string): boolean => !adminOf.includes(id) || !adminOf.includes(owner);
  // In turn, so that one organization is attached later and another one is not.
  const lacking = api.session.target.principals.filter((principal) =>
    attachables.some(({ organizationId }) => lacks(principal, organizationId)),
  );
  const planned = lacking.flatMap((principal, index) => {
    const inTurn = [...attachables.slice((index + 1) % 2), ...attachables];
    const denied = inTurn.find(({ organizationId }) => lacks(principal, organizationId));
    return denied === undefined ? [] : [{ principal, billingAccountId, owner, organizationId: denied.organizationId }];
  });
  for (const { organizationId } of attachables) {
    const principal = lacking.find((one) => lacks(one, organizationId));
    if (principal !== undefined && !planned.some((one) => one.organizationId === organizationId))
      planned.push({ principal, billingAccountId, owner, organizationId });
  }
  // Before anything is attached, because an organization that is attached already may be refused to everybody.
  const untried = Object.values(lesserRoles)
    .filter((roles) => !planned.some((one) => has(one.principal, roles, one.organizationId, owner)))
    .flatMap((roles) => attemptsOf(api, roles).find((one) => one.billingAccountId === billingAccountId) ?? []);
  // Another role of the admin of the owner, such as that of a member, may count in one of the organizations.
  const everywhere = attemptsOf(api, lesserRoles.owner)
    .filter((one) => one.billingAccountId === billingAccountId && !planned.some((other) => isSameAttempt(one, other)))
    .slice(0, maxAttempts - 1);
  planned.push(...untried, ...everywhere, ...elsewhereAttachable(api, billingAccountId));
  if (planned.length === 0) throw new Blocked('needs a principal that lacks one of the two roles');
  const attempts: Denied[] = [];
  const earlier = attachedTo(api, billingAccountId, 'certainly');
  const intrusion = await countAround(api, attachable, async () => {
    for (const attempt of planned.slice(-3 * maxAttempts)) attempts.push(await attempted(api, attempt));
    return attempts.map(({ answer }) => answer);
  });
  const elsewhere: Denied[] = [];
  for (const attempt of byOtherOwners(api, billingAccountId)) elsewhere.push(await attempted(api, attempt));
  return { attachables, attempts, elsewhere, intrusion, earlier };
});

/**
 * Attachments of what may be attached to another account alone, for the roles that no principal has in an organization of this
 * account: a target file often declares one admin for each account and all that belongs to it.
 */
function elsewhereAttachable({ session }: Api, billingAccountId: string): readonly Attempt[] {
  const { billingAccounts, principals } = session.target;
  const account = billingAccounts.find(({ id }) => id === billingAccountId);
  if (account === undefined) return [];
  const { owner, attachable } = account;
  const others = billingAccounts.flatMap((other) => (other === account ? [] : other.attachable));
  return [lesserRoles.owner, lesserRoles.organization].flatMap((roles) => {
    const attemptWith = (ids: readonly string[]): Attempt | undefined => {
      for (const organizationId of ids) {
        const principal = principals.find((one) => has(one, roles, organizationId, owner));
        if (principal !== undefined) return { principal, billingAccountId, owner, organizationId };
      }
      return undefined;
    };
    return attemptWith(attachable) === undefined ? (attemptWith(others) ?? []) : [];
  });
}

/** To the other accounts: by an admin of the organization and of an account's owner, but not of this account's. */
function byOtherOwners({ session }: Api, billingAccountId: string): readonly Attempt[] {
  const { billingAccounts, principals } = session.target;
  const ownsAny = ({ adminOf }: Principal): boolean => billingAccounts.some(({ owner }) => adminOf.includes(owner));
  return billingAccounts
    .filter(({ id }) => id !== billingAccountId)
    .flatMap(({ id, owner, attachable }) => {
      const strangers = principals.filter((one) => ownsAny(one) && !one.adminOf.includes(owner));
      const pairs = attachable.flatMap((organizationId) =>
        strangers
          .filter(({ adminOf }) => adminOf.includes(organizationId))
          .map((principal) => ({ principal, billingAccountId: id, owner, organizationId })),
      );
      return pairs.slice(0, 1);
    })
    .slice(0, maxAttempts);
}

async function attempted(api: Api, attempt: Attempt): Promise<Denied> {
  const { principal, billingAccountId, organizationId } = attempt;
  const answer = await api.attachOrganization(as(principal), billingAccountId, { organizationId });
  noteMistake(api, 'attachOrganization', 'without the role', answer);
  return { ...attempt, answer };
}

/** Denied attempts of these roles: those of the run, or new ones. */
export async function deniedTo(api: Api, roles: Roles): Promise<readonly Denied[]> {
  const known = await unlessBlocked(() => givenDenied(api));
  const alike = [...(known?.attempts ?? []), ...(known?.elsewhere ?? [])].filter(
    ({ principal, organizationId, owner }) => has(principal, roles, organizationId, owner),
  );
  if (alike.length > 0) return alike;
  const denied: Denied[] = [];
  for (const attempt of givenAttempts(api, roles)) denied.push(await attempted(api, attempt));
  return denied;
}

/**
 * Attempts to attach what is attached already, which may be answered before the roles are checked, or once more what may be attached
 * to another account alone, and organizationCount before and after them.
 */
export const givenDeniedAgain = shared(async (api: Api) => {
  const { attachable, attached, countAtLast } = await givenAcceptedAttachment(api);
  const { billingAccountId, owner } = attachable;
  const attempts: (Denied & { readonly after: string })[] = [];
  for (const roles of Object.values(lesserRoles)) {
    for (const { organizationId } of attached) {
      const principal = api.session.target.principals.find((one) => has(one, roles, organizationId, owner));
      if (principal === undefined) continue;
      const denied = await attempted(api, { principal, billingAccountId, owner, organizationId });
      attempts.push({ ...denied, after: 'which is attached already' });
    }
  }
  for (const attempt of elsewhereAttachable(api, billingAccountId)) {
    attempts.push({ ...(await attempted(api, attempt)), after: `after ${attached[0].organizationId} was attached` });
  }
  const count = countIn(await readNoEarlier(api, attachable, countAtLast));
  return { attempts, attachable, countBefore: countAtLast, count };
});

export function has({ adminOf }: Principal, roles: Roles, organizationId: string, owner: string): boolean {
  return adminOf.includes(organizationId) === roles.organization && adminOf.includes(owner) === roles.owner;
}

function isSameAttempt(one: Attempt, other: Attempt): boolean {
  return one.principal === other.principal && one.organizationId === other.organizationId;
}

/** Principals with exactly these roles, and what they may not attach, the last of each account first. */
function attemptsOf({ session }: Api, roles: Roles): readonly Attempt[] {
  const { billingAccounts, principals } = session.target;
  return billingAccounts.flatMap(({ id, owner, attachable }) =>
    attachable
      .toReversed()
      .flatMap((organizationId) =>
        principals
          .filter((principal) => has(principal, roles, organizationId, owner))
          .map((principal) => ({ principal, billingAccountId: id, owner, organizationId })),
      ),
  );
}

/** The attempts of `attemptsOf`. If there are none, throws `Blocked`, which names the missing declaration. */
function givenAttempts(api: Api, roles: Roles): readonly Attempt[] {
  const attempts = attemptsOf(api, roles);
  if (attempts.length > 0) return attempts.slice(0, maxAttempts);
  const { billingAccounts } = api.session.target;
  const account = billingAccounts.find(({ attachable }) => attachable.length > 0);
  if (account === undefined) {
    throw new Blocked('no organization may be attached: declare billingAccounts.<id>.attachable');
  }
  const role = (has: boolean, organizationId = ''): string => `${has ? '' : 'not '}adminOf ${organizationId}`;
  throw new Blocked(
    `declare a principal that is ${role(roles.owner, account.owner)} and ${role(roles.organization, account.attachable[0])}`,
  );
}
