import type { Ask } from '../http/ask.ts';
import type { JsonObject } from '../http/json.ts';
import type { Account } from '../state/state.ts';
import type { World } from '../world.ts';

/** The record of a billing account, with its count of organizations. */
export function shownAccount(world: World, ask: Ask, account: Account): JsonObject {
  const organizationCount = world.rules.organizationCount(account.data.owner, account.attachments, ask);
  return world.rules.accountShown({ ...account.data.record, organizationCount }, ask);
}

/** The account that the path names. */
export function findAccount(world: World, ask: Ask): Account | undefined {
  const { accounts } = world.state;
  return accounts.get(world.rules.accountNamed(ask.ids.accountId, [...accounts.keys()], ask));
}
