import type { Operation } from '../../spec/requirement.ts';
import { attachOrganization } from '../operations/attach-organization.ts';
import { deleteDataSource } from '../operations/delete-data-source.ts';
import { getBillingAccount } from '../operations/get-billing-account.ts';
import { listDataSources } from '../operations/list-data-sources.ts';
import { listModels } from '../operations/list-models.ts';
import type { OperationModel } from '../operations/operation.ts';
import { sendMessage } from '../operations/send-message.ts';
import type { World } from '../world.ts';
import { type Caller, type Outcome, type Refusal, refusal, type Request } from './request.ts';

/** The six operations of section 4. */
const operationModels: Readonly<Record<Operation, OperationModel>> = {
  listModels,
  sendMessage,
  attachOrganization,
  getBillingAccount,
  listDataSources,
  deleteDataSource,
};

/** How many callers are remembered at once, so that a new key with every request does not fill the memory. */
const windowsMost = 10_000;

/** An outcome, and the request with its caller. */
type Answered = { readonly asked: Request; readonly outcome: Outcome };

/** What a request gets: rate limit, key, route, role, existence and the operation, in that order. */
export async function respond(world: World, request: Request): Promise<Answered> {
  const { rules, hooks } = world;
  if (rules.failsInside(request)) return { asked: request, outcome: refusal('failedInside') };
  const early = rules.rateBeforeKey(request) ? rateLimit(world, request) : undefined;
  const caller = early === undefined ? authenticate(world, request) : undefined;
  const asked = inOrganization(world, { ...request, caller });
  const stop = early ?? (caller === undefined ? unauthenticated(world, asked) : stopped(world, asked));
  const model = modelOf(asked);
  const carriedOut = stop === undefined || hooks.carriedOut(false, asked, stop);
  const done = carriedOut ? await model?.act(world, asked) : undefined;
  const outcome = stop ?? done ?? refusal('unknownRoute', request.path);
  if (!outcome.ok) hooks.onRefused(outcome, asked);
  return { asked, outcome };
}

function inOrganization({ hooks, state }: World, request: Request): Request {
  const { ids } = request;
  const organizationId = hooks.organizationId(ids.organizationId, request, () => [...state.organizations.keys()]);
  return organizationId === ids.organizationId ? request : { ...request, ids: { ...ids, organizationId } };
}

function modelOf({ operation }: Request): OperationModel | undefined {
  return operation === undefined ? undefined : operationModels[operation];
}

function unauthenticated(world: World, request: Request): Refusal {
  const absent = world.hooks.lookupFirst(false, request) ? modelOf(request)?.missing(world, request) : undefined;
  return absent ?? refusal('unauthenticated');
}

/** Refuses a caller with a valid key before the operation: by rate limit, role or existence. */
function stopped(world: World, request: Request): Refusal | undefined {
  const late = world.rules.rateBeforeKey(request) ? undefined : rateLimit(world, request);
  const model = modelOf(request);
  return late ?? model?.denied(world, request) ?? model?.missing(world, request);
}

function authenticate({ rules, hooks, state }: World, request: Request): Caller | undefined {
  const { callersByKey } = state.data;
  const header = rules.credentialHeader(request);
  if (header === undefined) return hooks.caller(undefined, request, callersByKey);
  const { scheme, token } = rules.credential(header, request);
  const accepted = rules.schemeAccepted(scheme, request);
  return hooks.caller(accepted ? rules.callerOfToken(token, callersByKey, request) : undefined, request, callersByKey);
}

/** Counts a request against its caller's quota, or refuses it. */
function rateLimit({ rules, state, clock }: World, request: Request): Refusal | undefined {
  const now = clock.now();
  const quota = rules.rateQuota(request);
  const windowMs = rules.rateWindowMs(request);
  const header = rules.credentialHeader(request);
  const bucket = rules.rateBucket(header === undefined ? '' : rules.credential(header, request).token, request);
  const window = rules.rateWindowAt(state.rateWindows.get(bucket), now, windowMs, quota, request);
  if (rules.rateExceeded(window, quota, request)) {
    const retryAfterMs = rules.rateResetMs(window, now, windowMs, quota, request);
    return { ...refusal('rateLimited'), retryAfterMs };
  }
  if (state.rateWindows.size >= windowsMost) state.rateWindows.clear();
  state.rateWindows.set(bucket, rules.rateCounted(window, now, request));
  return undefined;
}
