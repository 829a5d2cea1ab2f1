import { type Outcome, type Refusal, refusal, type Request } from '../http/request.ts';
import { record } from '../state/apply-entry.ts';
import { hold, type World } from '../world.ts';
import { findAccount, missingAccount, shownAccount } from './get-billing-account.ts';
import type { OperationModel } from './operation.ts';
import { jsonBody } from './request-parts.ts';

/** The organization that the body names. */
function attachedId(world: World, request: Request): { readonly ok: true; readonly id: string } | Refusal {
  const read = jsonBody(world, request);
  if (!read.ok) return read;
  const field = world.hooks.attachedField(read.body['organizationId'], request);
  return typeof field === 'string' ? { ok: true, id: field } : refusal('invalidAttached');
}

function denied(world: World, request: Request): Refusal | undefined {
  const { rules } = world;
  const account = findAccount(world, request);
  if (account === undefined) return undefined;
  const owner = rules.isAdmin(request.caller, account.data.owner, request);
  const attached = attachedId(world, request);
  // A body that names no organization is refused by validation, for callers who may know the account.
  if (!attached.ok) return owner ? undefined : refusal('denied', request.ids.accountId);
  const organization = rules.isAdmin(request.caller, attached.id, request);
  if (rules.allowed({ organization, owner }, request)) return undefined;
  const exists = world.state.organizations.has(attached.id);
  if (owner && !exists) return undefined;
  return refusal(exists ? 'denied' : 'unknownAttached', attached.id);
}

/** The organization that can be attached, or why it cannot. */
function attachableId(world: World, request: Request): { readonly ok: true; readonly id: string } | Refusal {
  const attached = attachedId(world, request);
  if (!attached.ok) return attached;
  const exists = world.hooks.attachable(world.state.organizations.has(attached.id), request);
  return exists ? attached : refusal('unknownAttached', attached.id);
}

async function act(world: World, request: Request): Promise<Outcome> {
  const { rules, hooks } = world;
  const account = findAccount(world, request);
  if (account === undefined) return refusal('unknownAccount', request.ids.accountId);
  const attached = attachableId(world, request);
  if (!attached.ok) return attached;
  const { id } = attached;
  const again = id === account.data.owner || account.attachments.includes(id);
  if (again && rules.attachAgain(request) === 'refuse') return refusal('conflict', id);
  const counts = hooks.attachmentCounts(true, request, id, account.attachments);
  hooks.onAttached(id, request, account.attachments);
  const pauseMs = hooks.pauseMs(0, request);
  if (pauseMs > 0) await hold(world, request, pauseMs);
  if (counts) {
    record(world, { kind: 'attachment', at: world.clock.now(), accountId: account.data.id, organizationId: id });
  }
  const answer = rules.attachAnswer(shownAccount(world, request, account), id, request);
  const text = answer === undefined ? '' : JSON.stringify(answer);
  return { ok: true, status: rules.attachStatus(again, request), text };
}

/** Section 4.3. */
export const attachOrganization: OperationModel = { denied, missing: missingAccount, act };
