import { z } from 'zod';
import { type Listener, maxUnderWay, runOpen, withWarmUp } from '../engine/open-engine.ts';
import { precisePacer, timerPacer } from '../engine/pacer.ts';
import { openSockets } from '../engine/sockets.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { arrivalFields, peakOf, scheduleOf } from '../profile/arrival-fields.ts';
import { onceOperations } from '../profile/mix.ts';
import type { LoadOptions, Profile } from '../profile/profile.ts';
import { arrivals, type OpenSchedule } from '../schedule/arrivals.ts';
import { rateCurve } from '../schedule/rate-curve.ts';
import { createRequestPlan, type RequestPlan } from '../schedule/request-plan.ts';
import { beginRun, connectTimeoutMs } from './begin-run.ts';
import { loadKind, type LoadKindRecord } from './load-kind.ts';

const schema = z.strictObject(
  {
    ...arrivalFields('requests'),
    pacing: z
      .enum(['timer', 'precise'], { error: 'must be timer or precise' })
      .describe('precise takes a whole core and sends within microseconds; timer by default.')
      .optional(),
  },
  { error: 'must hold a rate, such as { rate: 50 }' },
);

/** What every kind does that sends requests on a schedule. Such a kind adds a name, a schema, and how the schema becomes a schedule. */
export const onSchedule = {
  usesUp: () => onceOperations,
  schedule: (load) => load,
  plannedMs: ({ ratePerSecond, stages }) => rateCurve(ratePerSecond, stages).durationMs,
  peakPerSecond: peakOf,
  describe({ ratePerSecond, stages, sockets: most }, { warmUpMs }) {
    const count = Math.round(rateCurve(ratePerSecond, stages).total + (warmUpMs / 1000) * ratePerSecond);
    return `about ${count.toLocaleString('en')} requests over at most ${most} sockets`;
  },
  run: (load, profile, options) => runOpenLoad(load, profile, options),
} satisfies Partial<LoadKindRecord<never, OpenSchedule>>;

/** Requests leave on a schedule, even if the target is slow. Measures what users see at this rate. */
export const openKind = loadKind<z.infer<typeof schema>, OpenSchedule>({
  ...onSchedule,
  name: 'open',
  example: 'steady',
  schema,
  hasOwnDuration: ({ stages }) => stages !== undefined,
  resolve({ pacing = 'timer', ...written }, totalMs) {
    const { arrivals: drawn, sockets, ratePerSecond, stages } = scheduleOf(written, totalMs);
    return { arrivals: drawn, pacing, sockets, ratePerSecond, stages };
  },
});

/** The time between the end of the preparation and the first request. */
const headStartMs = 20;
const swampedBy = `${maxUnderWay.toLocaleString('en')} requests were under way at once`;

/** Changes what an open load sends, and sees what is answered. */
export type Companion = (plan: RequestPlan) => Pick<RequestPlan, 'at'> & { readonly listener: Listener };

export async function runOpenLoad(
  load: OpenSchedule,
  profile: Profile,
  options: LoadOptions,
  companion?: Companion,
): Promise<LoadRecord> {
  const { target, seed, shard } = options;
  const run = await beginRun(profile, options);
  const plan = createRequestPlan({ target, profile, seed, shard, runId: run.runId, now: () => performance.now() });
  const beside = companion?.(plan);
  const listener: Listener = (...ended) => {
    run.listener(...ended);
    beside?.listener(...ended);
  };
  const pool = openSockets(target, load.sockets, connectTimeoutMs, options.rateCap);
  const startAt = startInstant(profile, options);
  run.begin(startAt);
  const { unfinished, isSwamped } = await runOpen({
    ...run,
    listener,
    schedule: withWarmUp(profile.warmUpMs, load.ratePerSecond / shard.of, arrivals(load, seed, shard)),
    plan: (beside ?? plan).at,
    sockets: pool,
    pacer: load.pacing === 'precise' ? precisePacer : timerPacer,
    startAt,
  });
  const stats = pool.stats();
  pool.close();
  return run.end({
    sockets: stats,
    unfinished,
    notes: plan.missing,
    ...(isSwamped ? { ending: { kind: 'aborted', by: swampedBy } } : {}),
  });
}

/** The first instant of the measured part: all shards of a run that got the same start begin at the same time. */
function startInstant({ warmUpMs }: Profile, { startAt }: LoadOptions): number {
  const earliest = performance.now() + headStartMs + warmUpMs;
  return startAt === undefined ? earliest : Math.max(earliest, startAt - performance.timeOrigin);
}
