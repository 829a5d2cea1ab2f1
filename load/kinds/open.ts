import { z } from 'zod';
import { maxUnderWay, runOpen, withWarmUp } from '../engine/open-engine.ts';
import { precisePacer, timerPacer } from '../engine/pacer.ts';
import { openSockets } from '../engine/sockets.ts';
import { dayMs, duration, durationMs, rate, sockets } from '../profile/fields.ts';
import type { LoadOptions, Profile } from '../profile/profile.ts';
import { arrivals, defaultSockets, type OpenSchedule } from '../schedule/arrivals.ts';
import { rateCurve } from '../schedule/rate-curve.ts';
import { createRequestPlan } from '../schedule/request-plan.ts';
import { beginRun, connectTimeoutMs } from './begin-run.ts';
import { loadKind } from './load-kind.ts';

const stage = z.strictObject(
  {
    rate: rate().describe('The rate at the end of the stage.'),
    over: duration('must be a time from 0s to 24h, such as 30s', 0, dayMs).describe(
      'The time over which it is reached; 0s is a jump.',
    ),
  },
  { error: 'must hold a rate and the time over which it is reached, such as { rate: 100, over: 30s }' },
);

const schema = z.strictObject(
  {
    rate: rate().describe('Requests a second, or with stages, the rate at which the first one begins.'),
    arrivals: z
      .enum(['poisson', 'constant'], { error: 'must be poisson or constant' })
      .describe('Random arrivals around the rate, or even ones; poisson by default.')
      .optional(),
    pacing: z
      .enum(['timer', 'precise'], { error: 'must be timer or precise' })
      .describe('precise takes a whole core and sends within microseconds; timer by default.')
      .optional(),
    sockets: sockets(),
    stages: z
      .array(stage, { error: 'must be a list of stages, such as [{ rate: 100, over: 30s }]' })
      .min(1)
      .describe('How the rate changes; they replace `duration`.')
      .optional(),
  },
  { error: 'must hold a rate, such as { rate: 50 }' },
);

/** Requests arrive on a schedule, whatever the target does: what do users see at this rate? */
export const openKind = loadKind<z.infer<typeof schema>, OpenSchedule>({
  name: 'open',
  schema,
  hasOwnDuration: ({ stages }) => stages !== undefined,
  resolve: ({ rate: ratePerSecond, arrivals: drawn = 'poisson', pacing = 'timer', ...written }, totalMs) => ({
    arrivals: drawn,
    pacing,
    sockets: written.sockets ?? defaultSockets,
    ratePerSecond,
    stages: written.stages?.map((one) => ({ ratePerSecond: one.rate, overMs: durationMs(one.over) })) ?? [
      { ratePerSecond, overMs: totalMs },
    ],
  }),
  schedule: (load) => load,
  plannedMs: ({ ratePerSecond, stages }) => rateCurve(ratePerSecond, stages).durationMs,
  peakPerSecond: ({ ratePerSecond, stages }) => Math.max(ratePerSecond, ...stages.map((one) => one.ratePerSecond)),
  describe({ ratePerSecond, stages, sockets: most }, { warmUpMs }) {
    const count = Math.round(rateCurve(ratePerSecond, stages).total + (warmUpMs / 1000) * ratePerSecond);
    return `about ${count.toLocaleString('en')} requests over at most ${most} sockets`;
  },
  run: runOpenLoad,
});

/** The time between the end of the preparation and the first request. */
const headStartMs = 20;
const swampedBy = `${maxUnderWay.toLocaleString('en')} requests were under way at once`;

async function runOpenLoad(load: OpenSchedule, profile: Profile, options: LoadOptions) {
  const { target, seed, shard } = options;
  const run = await beginRun(profile, options);
  const plan = createRequestPlan({ target, profile, seed, shard, runId: run.runId, now: () => performance.now() });
  const pool = openSockets(target, load.sockets, connectTimeoutMs, options.rateCap);
  const startAt = startInstant(profile, options);
  run.begin(startAt);
  const { unfinished, isSwamped } = await runOpen({
    ...run,
    schedule: withWarmUp(profile.warmUpMs, load.ratePerSecond / shard.of, arrivals(load, seed, shard)),
    plan: plan.at,
    sockets: pool,
    pacer: load.pacing === 'precise' ? precisePacer : timerPacer,
    startAt,
  });
  const { durationMs: plannedMs, total } = rateCurve(load.ratePerSecond, load.stages);
  const stats = pool.stats();
  pool.close();
  return run.end({
    sockets: stats,
    unfinished,
    measuredMs: Math.min(plannedMs, Math.max(1, performance.now() - startAt)),
    offeredPerSecond: total / (plannedMs / 1000) / shard.of,
    notes: plan.missing,
    ...(isSwamped ? { ending: { kind: 'aborted', by: swampedBy } } : {}),
  });
}

/** The first instant of the measured part: all shards of a run that got the same start begin at the same time. */
function startInstant({ warmUpMs }: Profile, { startAt }: LoadOptions): number {
  const earliest = performance.now() + headStartMs + warmUpMs;
  return startAt === undefined ? earliest : Math.max(earliest, startAt - performance.timeOrigin);
}
