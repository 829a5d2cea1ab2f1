import { type Api, as } from '../../engine/api.ts';
import { isSuccess } from '../../core/exchange.ts';
import { TransportError } from '../../core/http.ts';
import { at, stringAt } from '../../core/json.ts';
import { adminOf, givenWalk, type ListOperation, type Walk } from '../../stage/lists/lists.ts';
import type { BillingAccount, Organization, Principal } from '../../core/target.ts';
import { Blocked } from '../../engine/verdict.ts';

/** What an organization holds, as one of its admins sees it. */
export type OrganizationFixture = {
  readonly organization: Organization;
  /** Undefined where nobody is declared as admin: then nothing of it can be read. */
  readonly admin: Principal | undefined;
  readonly models: Listed;
  readonly sources: Listed;
};

/** A list, or why it could not be read. */
export type Listed = Walk | { readonly unreadable: string };

export type AccountFixture = {
  readonly account: BillingAccount;
  /** The record as it was answered to an admin of the owner; undefined where nobody could read it. */
  readonly record: unknown;
  /** The owner that the record names, which may be another one than the target file names. */
  readonly shownOwner: string | undefined;
};

export type Fixtures = {
  readonly organizations: readonly OrganizationFixture[];
  readonly accounts: readonly AccountFixture[];
};

/** After so many requests no further list is begun. */
const maxRequests = 500;

/** Reads every declared list as far as checks would, and every billing account. Never rejects. */
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

/** The items of a list, none where it could not be read. */
export function itemsOf(listed: Listed): Walk['items'] {
  return 'unreadable' in listed ? [] : listed.items;
}

async function listOf(
  api: Api,
  list: ListOperation,
  organizationId: string,
  admin: Principal | undefined,
): Promise<Listed> {
  if (admin === undefined) return { unreadable: 'no principal is adminOf it' };
  if (api.sent > maxRequests) return { unreadable: `not read: other lists took more than ${maxRequests} requests` };
  try {
    return await givenWalk(api, list, as(admin), organizationId, { limit: 100 });
  } catch (error) {
    if (error instanceof TransportError || error instanceof Blocked) return { unreadable: error.message };
    throw error;
  }
}

async function accountOf(api: Api, account: BillingAccount): Promise<AccountFixture> {
  const admin = adminOf(api, account.owner);
  const unknown = { account, record: undefined, shownOwner: undefined };
  if (admin === undefined) return unknown;
  try {
    const answer = await api.getBillingAccount(as(admin), account.id);
    if (!isSuccess(answer)) return unknown;
    const record = at(answer.json, 'data');
    return { account, record, shownOwner: stringAt(record, 'ownerOrganizationId') };
  } catch (error) {
    if (error instanceof TransportError || error instanceof Blocked) return unknown;
    throw error;
  }
}
