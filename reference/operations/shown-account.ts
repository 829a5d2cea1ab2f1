import type { Request } from '../http/request.ts';
import type { JsonObject } from '../http/json.ts';
import type { Account } from '../state/state.ts';
import type { World } from '../world.ts';

/** The record of a billing account, with its count of organizations. */
export function shownAccount(world: World, request: Request, account: Account): JsonObject {
  const organizationCount = world.rules.organizationCount(account.data.owner, account.attachments, request);
  return world.rules.accountShown({ ...account.data.record, organizationCount }, request);
}

/** The account that the path names. */
export function findAccount(world: World, request: Request): Account | undefined {
  const { accounts } = world.state;
  return accounts.get(world.rules.accountNamed(request.ids.accountId, [...accounts.keys()], request));
}
