import { record } from '../state/apply-entry.ts';
import { type Ask, type Outcome, type Refusal, refusal } from '../http/ask.ts';
import type { Account } from '../state/state.ts';
import { hold, type World } from '../world.ts';
import { jsonBody } from './json-body.ts';
import type { OperationModel } from './operation.ts';
import { findAccount, shownAccount } from './shown-account.ts';

/** The organization that the body names. */
function attachedId(world: World, ask: Ask): { readonly ok: true; readonly id: string } | Refusal {
  const read = jsonBody(world, ask);
  if (!read.ok) return read;
  const field = world.rules.attachedField(read.body, ask);
  if (typeof field === 'string') return { ok: true, id: field };
  const instead = world.rules.attachedInstead(field, ask);
  return instead === undefined ? refusal('invalidAttached') : { ok: true, id: instead };
}

function denied(world: World, ask: Ask): Refusal | undefined {
  const { rules } = world;
  const account = findAccount(world, ask);
  if (account === undefined) return undefined;
  const isOwnerAdmin = rules.isAdmin(ask.caller, account.data.owner, ask);
  const attached = attachedId(world, ask);
  // What names no organization is left to validation, for whom the account is no secret.
  if (!attached.ok) return isOwnerAdmin ? undefined : refusal('denied', ask.ids.accountId);
  const isAdmin = rules.isAdmin(ask.caller, attached.id, ask);
  if (rules.mayAttach(isAdmin, isOwnerAdmin, ask)) return undefined;
  const exists = world.state.organizations.has(attached.id);
  if (isOwnerAdmin && !exists) return undefined;
  return refusal(exists ? 'denied' : 'unknownAttached', attached.id);
}

function missing(world: World, ask: Ask): Refusal | undefined {
  return findAccount(world, ask) === undefined ? refusal('unknownAccount', ask.ids.accountId) : undefined;
}

/** The organization that can be attached, or why it cannot. */
function attachableId(world: World, ask: Ask): { readonly ok: true; readonly id: string } | Refusal {
  const attached = attachedId(world, ask);
  if (!attached.ok || world.rules.attachable(world.state.organizations.has(attached.id), ask)) return attached;
  return refusal('unknownAttached', attached.id);
}

function attach(world: World, account: Account, organizationId: string): void {
  record(world, { kind: 'attachment', at: world.clock.now(), accountId: account.data.id, organizationId });
}

async function act(world: World, ask: Ask): Promise<Outcome> {
  const { rules } = world;
  const account = findAccount(world, ask);
  if (account === undefined) return refusal('unknownAccount', ask.ids.accountId);
  const attached = attachableId(world, ask);
  if (!attached.ok) {
    if (rules.countsRefused(attached.kind, ask)) attach(world, account, `refused ${ask.turn}`);
    return attached;
  }
  const again = attached.id === account.data.owner || account.attachments.includes(attached.id);
  if (again && rules.attachAgain(ask) === 'refuse') return refusal('conflict', attached.id);
  const counts = rules.attachmentCounts(attached.id, account.attachments, ask);
  const pauseMs = rules.attachPauseMs(ask);
  if (pauseMs > 0) await hold(world, ask, pauseMs);
  if (counts) attach(world, account, attached.id);
  const answer = rules.attachAnswer(shownAccount(world, ask, account), attached.id, ask);
  const text = answer === undefined ? '' : JSON.stringify(answer);
  return { ok: true, status: rules.attachStatus(again, ask), text };
}

/** Section 4.3. */
export const attachOrganization: OperationModel = { denied, missing, act };
