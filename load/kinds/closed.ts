import { z } from 'zod';
import { spacedGate, timedGate } from '../engine/rate-cap.ts';
import { count } from '../profile/fields.ts';
import type { LoadOptions, Profile } from '../profile/profile.ts';
import { trimmed } from '../judge/headline.ts';
import { throughputOf } from '../judge/measured.ts';
import { createRequestPlan } from '../schedule/request-plan.ts';
import { percent } from '../../reports/text/figures.ts';
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

/** If the limit of the target file takes more of the time of the connections, the throughput is no longer that of the target. */
const mostWaitedShare = 0.05;

async function runClosedLoad({ connections, durationMs }: ClosedLoad, profile: Profile, options: LoadOptions) {
  // Loaded only when it is needed: autocannon takes memory that other kinds of load have no use for.
  const { runClosed } = await import('../engine/closed-engine.ts');
  const { target, seed, shard, rateCap } = options;
  const { maxRequestsPerSecond } = target.limits;
  const run = await beginRun(profile, options);
  const plan = createRequestPlan({ target, profile, seed, shard, runId: run.runId, now: () => performance.now() });
  const { warmUpMs } = profile;
  const startAt = performance.now() + warmUpMs;
  const { gate, waitedMs } = timedGate(spacedGate(maxRequestsPerSecond, rateCap), startAt);
  run.begin(startAt);
  const { unfinished, closes, tookMs } = await runClosed({
    ...run,
    route: target,
    connections,
    plan: plan.at,
    warmUpMs,
    durationMs,
    gate,
  });
  const measuredMs = Math.max(1, tookMs);
  const waitedShare = Math.min(1, waitedMs() / (connections * measuredMs));
  const isHeldBack = waitedShare > mostWaitedShare;
  const rate = trimmed(throughputOf({ operations: run.measurement.operations, measuredMs }));
  return run.end({
    sockets: { cap: connections, peak: connections, waited: 0 },
    closes,
    unfinished,
    measuredMs,
    isHeldBack,
    ...(isHeldBack && {
      heldBackBecause: `limits.maxRequestsPerSecond of the target file, ${maxRequestsPerSecond}, made the connections wait ${percent(waitedShare)} of the time: raise it to see how much the target can take`,
      headline: `held to ${maxRequestsPerSecond}/s by limits.maxRequestsPerSecond, ${rate} req/s from ${connections} connections`,
    }),
    notes: plan.missing,
  });
}
