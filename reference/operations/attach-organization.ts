import { record } from '../state/apply-entry.ts';
import { type Request, type Outcome, type Refusal, refusal } from '../http/request.ts';
import type { Account } from '../state/state.ts';
import { hold, type World } from '../world.ts';
import { jsonBody } from './json-body.ts';
import type { OperationModel } from './operation.ts';
import { findAccount, shownAccount } from './shown-account.ts';

/** The organization that the body names. */
function attachedId(world: World, request: Request): { readonly ok: true; readonly id: string } | Refusal {
  const read = jsonBody(world, request);
  if (!read.ok) return read;
  const field = world.rules.attachedField(read.body, request);
  if (typeof field === 'string') return { ok: true, id: field };
  const instead = world.rules.attachedInstead(field, request);
  return instead === undefined ? refusal('invalidAttached') : { ok: true, id: instead };
}

function denied(world: World, request: Request): Refusal | undefined {
  const { rules } = world;
  const account = findAccount(world, request);
  if (account === undefined) return undefined;
  const isOwnerAdmin = rules.isAdmin(request.caller, account.data.owner, request);
  const attached = attachedId(world, request);
  // What names no organization is left to validation, for whom the account is no secret.
  if (!attached.ok) return isOwnerAdmin ? undefined : refusal('denied', request.ids.accountId);
  const isAdmin = rules.isAdmin(request.caller, attached.id, request);
  if (rules.mayAttach(isAdmin, isOwnerAdmin, request)) return undefined;
  const exists = world.state.organizations.has(attached.id);
  if (isOwnerAdmin && !exists) return undefined;
  return refusal(exists ? 'denied' : 'unknownAttached', attached.id);
}

function missing(world: World, request: Request): Refusal | undefined {
  return findAccount(world, request) === undefined ? refusal('unknownAccount', request.ids.accountId) : undefined;
}

/** The organization that can be attached, or why it cannot. */
function attachableId(world: World, request: Request): { readonly ok: true; readonly id: string } | Refusal {
  const attached = attachedId(world, request);
  if (!attached.ok || world.rules.attachable(world.state.organizations.has(attached.id), request)) return attached;
  return refusal('unknownAttached', attached.id);
}

function attach(world: World, account: Account, organizationId: string): void {
  record(world, { kind: 'attachment', at: world.clock.now(), accountId: account.data.id, organizationId });
}

async function act(world: World, request: Request): Promise<Outcome> {
  const { rules } = world;
  const account = findAccount(world, request);
  if (account === undefined) return refusal('unknownAccount', request.ids.accountId);
  const attached = attachableId(world, request);
  if (!attached.ok) {
    if (rules.countsRefused(attached.kind, request)) attach(world, account, `refused ${request.turn}`);
    return attached;
  }
  const again = attached.id === account.data.owner || account.attachments.includes(attached.id);
  if (again && rules.attachAgain(request) === 'refuse') return refusal('conflict', attached.id);
  const counts = rules.attachmentCounts(attached.id, account.attachments, request);
  const pauseMs = rules.attachPauseMs(request);
  if (pauseMs > 0) await hold(world, request, pauseMs);
  if (counts) attach(world, account, attached.id);
  const answer = rules.attachAnswer(shownAccount(world, request, account), attached.id, request);
  const text = answer === undefined ? '' : JSON.stringify(answer);
  return { ok: true, status: rules.attachStatus(again, request), text };
}

/** Section 4.3. */
export const attachOrganization: OperationModel = { denied, missing, act };
