import { instantOf } from '../../core/instant.ts';
import { stringAt } from '../../core/json.ts';
import type { Item as ListedItem } from '../../core/page.ts';
import type { Target } from '../../core/target.ts';
import { accountRecord } from '../../reference/data/account.ts';
import type { Item } from '../../reference/data/item.ts';
import { lazyItem } from '../../reference/data/item.ts';
import { defaultDataOptions } from '../../reference/data/options.ts';
import type { AccountData, OrganizationData, WorldData } from '../../reference/data/world-data.ts';
import type { JsonObject } from '../../reference/http/json.ts';
import type { Rules } from '../../reference/rules/rules.ts';
import type { Conversation } from '../../targets/doctor/converse.ts';
import type { Examination } from '../../targets/doctor/examine.ts';
import { itemsOf, type OrganizationFixture } from '../../targets/doctor/fixtures.ts';

/** The assumed speed of an assistant that could not be timed, in milliseconds. */
const assumed = { quickMs: 2000, slowMs: 15_000 } as const;

/** A world for the reference with the records and the speed of an examined deployment. */
export function rehearsalWorld(
  target: Target,
  { fixtures, conversation }: Examination,
): { readonly data: WorldData; readonly rules: Partial<Rules> } {
  const callers = target.principals.map(({ name, key, adminOf }) => ({
    name,
    key,
    memberId: `member_${name}`,
    adminOf: new Set(adminOf),
  }));
  const accounts = fixtures.accounts.map(({ account: { id, owner, attachable }, record }): AccountData => {
    return { id, owner, attachable, record: isObject(record) ? record : accountRecord(id, owner, defaultDataOptions) };
  });
  const data: WorldData = {
    organizations: new Map(fixtures.organizations.map((fixture) => [fixture.organization.id, organizationOf(fixture)])),
    accounts: new Map(accounts.map((account) => [account.id, account])),
    callers,
    callersByKey: new Map(callers.map((caller) => [caller.key, caller])),
  };
  return { data, rules: rulesOf(target, conversation) };
}

function organizationOf({ organization, models, sources }: OrganizationFixture): OrganizationData {
  const { id, chats, disposableDataSources } = organization;
  return {
    id,
    models: itemsOf(models).map((item, index) =>
      itemOf(item, index, id, stringAt(item.record, 'databaseConnectionId')),
    ),
    sources: itemsOf(sources).map((item, index) => itemOf(item, index, id, item.id)),
    disposable: disposableDataSources,
    chats,
  };
}

/** Keeps the order of the list; a time that cannot be read is replaced by one that fits it. */
function itemOf({ id, createdAt, record }: ListedItem, index: number, organizationId: string, sourceId = ''): Item {
  const createdAtMs = instantOf(createdAt) ?? -index;
  return lazyItem({ id, createdAtMs, sourceId, organizationId }, () => (isObject(record) ? record : { id }));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function rulesOf({ idempotencyHeader, assistant }: Target, conversation: Conversation): Partial<Rules> {
  const { quickMs, slowMs, header } = pace(conversation);
  return {
    keyHeader: () => header ?? idempotencyHeader ?? 'idempotency-key',
    assistantMs: (text) => (text === assistant.slowPrompt ? slowMs : quickMs),
    // The target file sets the pace of the suite; a lower quota is unknown.
    rateQuota: () => Number.POSITIVE_INFINITY,
  };
}

function pace(conversation: Conversation) {
  if (conversation.kind === 'untried') return { ...assumed, header: undefined };
  const { quickMs = assumed.quickMs, slow } = conversation;
  // Where no header works, the rehearsal must find none either.
  const header = conversation.keyHeader ?? 'awc-no-such-header';
  switch (slow.kind) {
    case 'busy':
      return { quickMs, slowMs: slow.ms, header };
    case 'too-fast':
      return { quickMs, slowMs: Math.min(quickMs, 100), header };
    case 'unclear':
      return { quickMs, slowMs: assumed.slowMs, header };
  }
}
