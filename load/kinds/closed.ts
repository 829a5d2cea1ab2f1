import { z } from 'zod';
import { spacedGate } from '../engine/rate-cap.ts';
import { count } from '../profile/fields.ts';
import type { LoadOptions, Profile } from '../profile/profile.ts';
import { trimmed } from '../judge/headline.ts';
import { throughputOf } from '../judge/measured.ts';
import { createRequestPlan } from '../schedule/request-plan.ts';
import { beginRun } from './begin-run.ts';
import { atMost, loadKind } from './load-kind.ts';

const schema = z.strictObject(
  {
    connections: count('must be a whole number of connections from 1 to 5000', 5000).describe(
      'The number of connections. Each sends its next request when the last one is answered.',
    ),
  },
  { error: 'must hold connections, such as { connections: 50 }' },
);

type ClosedLoad = { readonly connections: number; readonly durationMs: number };

/** Each connection sends its next request when the last is answered: how much can the target take? */
export const closedKind = loadKind<z.infer<typeof schema>, ClosedLoad>({
  name: 'closed',
  example: 'baseline',
  schema,
  isThroughputOnly: true,
  resolve: ({ connections }, durationMs) => ({ connections, durationMs }),
  plannedMs: ({ durationMs }) => durationMs,
  describe: ({ connections }, _profile, target) =>
    `as many requests as ${connections} connections can${atMost(target)}`,
  headline: ({ connections }, measured) => `${trimmed(throughputOf(measured))} req/s from ${connections} connections`,
  run: runClosedLoad,
});

async function runClosedLoad({ connections, durationMs }: ClosedLoad, profile: Profile, options: LoadOptions) {
  // Loaded only when it is needed: autocannon takes memory that other kinds of load have no use for.
  const { runClosed } = await import('../engine/closed-engine.ts');
  const { target, seed, shard, rateCap } = options;
  const { maxRequestsPerSecond } = target.limits;
  const run = await beginRun(profile, options);
  const plan = createRequestPlan({ target, profile, seed, shard, runId: run.runId, now: () => performance.now() });
  const { warmUpMs } = profile;
  run.begin(performance.now() + warmUpMs);
  const { unfinished, closes, tookMs } = await runClosed({
    ...run,
    route: target,
    connections,
    plan: plan.at,
    warmUpMs,
    durationMs,
    gate: spacedGate(maxRequestsPerSecond, rateCap),
  });
  return run.end({
    sockets: { cap: connections, peak: connections, waited: 0 },
    closes,
    unfinished,
    measuredMs: Math.max(1, tookMs),
    isHeldBack: Number.isFinite(maxRequestsPerSecond),
    notes: plan.missing,
  });
}
