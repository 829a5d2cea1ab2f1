import { type Ask, type Outcome, type Refusal, refusal } from './ask.ts';
import { authenticate } from '../authenticate.ts';
import type { OperationModel } from '../operations/operation.ts';
import { operationModels } from '../operations/operations.ts';
import { rateLimit } from '../rate-limit.ts';
import { hold, type World } from '../world.ts';

/** An outcome, and the request with what was learned of its caller. */
type Answered = { readonly asked: Ask; readonly outcome: Outcome };

async function refused(world: World, ask: Ask, why: Refusal): Promise<Refusal> {
  if (ask.operation !== undefined && world.rules.actsThoughRefused(why, ask)) {
    await operationModels[ask.operation].act(world, ask);
  }
  return why;
}

/** What a request gets: rate limit, key, route, role, existence and the operation, in that order. */
export async function respond(world: World, ask: Ask): Promise<Answered> {
  const paceMs = world.rules.paceMs(ask);
  if (paceMs > 0) await hold(world, ask, paceMs);
  if (world.rules.failsInside(ask)) return { asked: ask, outcome: refusal('failedInside') };
  const early = world.rules.rateBeforeKey(ask) ? rateLimit(world, ask) : undefined;
  if (early !== undefined) return { asked: ask, outcome: await refused(world, ask, early) };
  const model = ask.operation === undefined ? undefined : operationModels[ask.operation];
  const known = authenticate(world, ask);
  if (!known.ok) {
    const absent = world.rules.lookupBeforeKey(ask) ? model?.missing(world, ask) : undefined;
    return { asked: ask, outcome: await refused(world, ask, absent ?? known) };
  }
  const asked = { ...ask, caller: known.caller };
  return { asked, outcome: await served(world, asked, model) };
}

/** What somebody with a good key gets. */
async function served(world: World, asked: Ask, model: OperationModel | undefined): Promise<Outcome> {
  const late = world.rules.rateBeforeKey(asked) ? undefined : rateLimit(world, asked);
  if (late !== undefined) return refused(world, asked, late);
  if (model === undefined) return refusal('unknownRoute', asked.path);
  const stop = model.denied(world, asked) ?? model.missing(world, asked);
  return stop === undefined ? model.act(world, asked) : refused(world, asked, stop);
}
