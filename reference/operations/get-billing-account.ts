import type { JsonObject } from '../http/json.ts';
import { type Outcome, type Refusal, refusal, type Request } from '../http/request.ts';
import type { Account } from '../state/state.ts';
import type { World } from '../world.ts';
import type { OperationModel } from './operation.ts';

/** The account that the path names. */
export function findAccount(world: World, request: Request): Account | undefined {
  const { accounts } = world.state;
  return accounts.get(world.hooks.accountId(request.ids.accountId, request, [...accounts.keys()]));
}

/** The record of an account, with its count of organizations. */
export function shownAccount(world: World, request: Request, account: Account): JsonObject {
  const organizationCount = world.rules.organizationCount(account.data.owner, account.attachments, request);
  return world.hooks.accountShown({ ...account.data.record, organizationCount }, request);
}

export function missingAccount(world: World, request: Request): Refusal | undefined {
  return findAccount(world, request) === undefined ? refusal('unknownAccount', request.ids.accountId) : undefined;
}

function denied(world: World, request: Request): Refusal | undefined {
  const account = findAccount(world, request);
  if (account === undefined) return undefined;
  const owner = world.rules.isAdmin(request.caller, account.data.owner, request);
  const allowed = world.rules.allowed({ organization: false, owner }, request);
  return allowed ? undefined : refusal('denied', request.ids.accountId);
}

function act(world: World, request: Request): Outcome {
  const { rules } = world;
  const account = findAccount(world, request);
  if (account === undefined) return refusal('unknownAccount', request.ids.accountId);
  const answer = rules.accountAnswer(shownAccount(world, request, account), request);
  return { ok: true, status: rules.readStatus(request), text: JSON.stringify(answer) };
}

/** Section 4.4. */
export const getBillingAccount: OperationModel = { denied, missing: missingAccount, act };
