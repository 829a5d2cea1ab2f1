import { type Request, type Outcome, type Refusal, refusal } from '../http/request.ts';
import type { World } from '../world.ts';
import type { OperationModel } from './operation.ts';
import { findAccount, shownAccount } from './shown-account.ts';

function denied(world: World, request: Request): Refusal | undefined {
  const account = findAccount(world, request);
  if (account === undefined) return undefined;
  const isOwnerAdmin = world.rules.isAdmin(request.caller, account.data.owner, request);
  return world.rules.mayReadAccount(isOwnerAdmin, request) ? undefined : refusal('denied', request.ids.accountId);
}

function missing(world: World, request: Request): Refusal | undefined {
  return findAccount(world, request) === undefined ? refusal('unknownAccount', request.ids.accountId) : undefined;
}

function act(world: World, request: Request): Outcome {
  const { rules } = world;
  const account = findAccount(world, request);
  if (account === undefined) return refusal('unknownAccount', request.ids.accountId);
  const answer = rules.accountAnswer(shownAccount(world, request, account), request);
  return { ok: true, status: rules.accountStatus(request), text: JSON.stringify(answer) };
}

/** Section 4.4. */
export const getBillingAccount: OperationModel = { denied, missing, act };
