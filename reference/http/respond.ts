import { type Request, type Outcome, type Refusal, refusal } from './request.ts';
import { authenticate } from '../authenticate.ts';
import type { OperationModel } from '../operations/operation.ts';
import { operationModels } from '../operations/operations.ts';
import { rateLimit } from '../rate-limit.ts';
import { hold, type World } from '../world.ts';

/** An outcome, and the request with what was learned of its caller. */
type Answered = { readonly asked: Request; readonly outcome: Outcome };

async function refused(world: World, request: Request, why: Refusal): Promise<Refusal> {
  if (request.operation !== undefined && world.rules.actsThoughRefused(why, request)) {
    await operationModels[request.operation].act(world, request);
  }
  return why;
}

/** What a request gets: rate limit, key, route, role, existence and the operation, in that order. */
export async function respond(world: World, request: Request): Promise<Answered> {
  const paceMs = world.rules.paceMs(request);
  if (paceMs > 0) await hold(world, request, paceMs);
  if (world.rules.failsInside(request)) return { asked: request, outcome: refusal('failedInside') };
  const early = world.rules.rateBeforeKey(request) ? rateLimit(world, request) : undefined;
  if (early !== undefined) return { asked: request, outcome: await refused(world, request, early) };
  const model = request.operation === undefined ? undefined : operationModels[request.operation];
  const known = authenticate(world, request);
  if (!known.ok) {
    const absent = world.rules.lookupBeforeKey(request) ? model?.missing(world, request) : undefined;
    return { asked: request, outcome: await refused(world, request, absent ?? known) };
  }
  const asked = { ...request, caller: known.caller };
  return { asked, outcome: await served(world, asked, model) };
}

/** What somebody with a good key gets. */
async function served(world: World, asked: Request, model: OperationModel | undefined): Promise<Outcome> {
  const late = world.rules.rateBeforeKey(asked) ? undefined : rateLimit(world, asked);
  if (late !== undefined) return refused(world, asked, late);
  if (model === undefined) return refusal('unknownRoute', asked.path);
  const stop = model.denied(world, asked) ?? model.missing(world, asked);
  return stop === undefined ? model.act(world, asked) : refused(world, asked, stop);
}
