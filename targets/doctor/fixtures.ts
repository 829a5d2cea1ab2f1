import { type Api, as } from '../../engine/api.ts';
import { isSuccess } from '../../core/exchange.ts';
import { TransportError } from '../../core/http.ts';
import { at, stringAt } from '../../core/json.ts';
import { adminOf } from '../../stage/lists/lists.ts';
import { givenWalk, type Walk } from '../../stage/lists/walk.ts';
import type { ListOperation } from '../../core/page.ts';
import type { BillingAccount, Organization, Principal } from '../../core/target.ts';
import { Blocked } from '../../engine/verdict.ts';

/** The lists of an organization, as one of its admins sees them. */
export type OrganizationFixture = {
  readonly organization: Organization;
  /** Undefined if no admin is declared; then nothing can be read. */
  readonly admin: Principal | undefined;
  readonly models: Listed;
  readonly sources: Listed;
};

/** A list, or why it cannot be read. */
export type Listed = Walk | { readonly unreadable: string };

export type AccountFixture = {
  readonly account: BillingAccount;
  /** The record that an admin of the owner gets; undefined if it cannot be read. */
  readonly record: unknown;
  /** The owner in the record, which may differ from the owner in the target file. */
  readonly shownOwner: string | undefined;
};

export type Fixtures = {
  readonly organizations: readonly OrganizationFixture[];
  readonly accounts: readonly AccountFixture[];
};

/** After this many requests, no further list is read. */
const maxRequests = 500;

/** Reads every declared list to the same bound as the checks, and every billing account. Never rejects. */
export async function readFixtures(api: Api): Promise<Fixtures> {
  const organizations: OrganizationFixture[] = [];
  for (const organization of api.session.target.organizations) {
    const admin = adminOf(api, organization.id);
    const models = await listOf(api, 'listModels', organization.id, admin);
    const sources = await listOf(api, 'listDataSources', organization.id, admin);
    organizations.push({ organization, admin, models, sources });
  }
  const accounts: AccountFixture[] = [];
  for (const account of api.session.target.billingAccounts) accounts.push(await accountOf(api, account));
  return { organizations, accounts };
}

/** The items of a list; none if it cannot be read. */
export function itemsOf(listed: Listed): Walk['items'] {
  return 'unreadable' in listed ? [] : listed.items;
}

async function listOf(
  api: Api,
  list: ListOperation,
  organizationId: string,
  admin: Principal | undefined,
): Promise<Listed> {
  if (admin === undefined) return { unreadable: 'no principal is its admin' };
  if (api.sent > maxRequests) return { unreadable: `not read: other lists took more than ${maxRequests} requests` };
  try {
    return await givenWalk(api, list, as(admin), organizationId, { limit: 100 });
  } catch (error) {
    if (error instanceof TransportError || error instanceof Blocked) return { unreadable: error.message };
    throw error;
  }
}

async function accountOf(api: Api, account: BillingAccount): Promise<AccountFixture> {
  const admins = api.session.target.principals.filter(({ adminOf: own }) => own.includes(account.owner));
  const record = await readAccount(api, admins, account.id);
  return { account, record, shownOwner: stringAt(record, 'ownerOrganizationId') };
}

/** The record of a billing account that the first of these principals gets: the key of one may be wrong. Undefined if none does. */
export async function readAccount(api: Api, principals: readonly Principal[], id: string): Promise<unknown> {
  for (const principal of principals) {
    try {
      const answer = await api.getBillingAccount(as(principal), id);
      if (isSuccess(answer)) return at(answer.json, 'data');
    } catch (error) {
      if (!(error instanceof TransportError || error instanceof Blocked)) throw error;
    }
  }
  return undefined;
}
