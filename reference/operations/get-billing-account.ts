import { type Ask, type Outcome, type Refusal, refusal } from '../http/ask.ts';
import type { World } from '../world.ts';
import type { OperationModel } from './operation.ts';
import { findAccount, shownAccount } from './shown-account.ts';

function denied(world: World, ask: Ask): Refusal | undefined {
  const account = findAccount(world, ask);
  if (account === undefined) return undefined;
  const isOwnerAdmin = world.rules.isAdmin(ask.caller, account.data.owner, ask);
  return world.rules.mayReadAccount(isOwnerAdmin, ask) ? undefined : refusal('denied', ask.ids.accountId);
}

function missing(world: World, ask: Ask): Refusal | undefined {
  return findAccount(world, ask) === undefined ? refusal('unknownAccount', ask.ids.accountId) : undefined;
}

function act(world: World, ask: Ask): Outcome {
  const { rules } = world;
  const account = findAccount(world, ask);
  if (account === undefined) return refusal('unknownAccount', ask.ids.accountId);
  const answer = rules.accountAnswer(shownAccount(world, ask, account), ask);
  return { ok: true, status: rules.accountStatus(ask), text: JSON.stringify(answer) };
}

/** Section 4.4. */
export const getBillingAccount: OperationModel = { denied, missing, act };
