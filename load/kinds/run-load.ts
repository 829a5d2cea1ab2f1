import type { Target } from '../../core/target.ts';
import { type ClosedLoad, type OpenLoad, plannedMs, type Profile } from '../profile/profile.ts';
import { plannedArrivals } from '../profile/resolve-profile.ts';
import type { Fact, LoadRecord } from '../../reports/load/load-record.ts';
import { abortReason } from '../judge/abort-condition.ts';
import { arrivals, type Shard } from '../schedule/arrivals.ts';
import { buildRecord } from '../judge/build-record.ts';
import type { runClosed } from '../engine/closed-engine.ts';
import type { Ending } from '../judge/conclude.ts';
import { spacedGate } from '../engine/gate.ts';
import { watchGenerator } from '../measure/generator-watch.ts';
import { createMeasurement, type Measurement } from '../measure/measurement.ts';
import { maxUnderWay, runOpen, withWarmUp } from '../engine/open-engine.ts';
import { precisePacer, timerPacer } from '../engine/pacer.ts';
import { createRequestPlan, type RequestPlan } from '../schedule/request-plan.ts';
import { openSockets, type SocketStats } from '../engine/sockets.ts';
import { type LoadProgress, tellProgress } from '../measure/tell-progress.ts';
import { startValidator, type Validator } from '../validate/validator.ts';

/** What a run needs beside its profile. */
export type LoadOptions = {
  readonly target: Target;
  readonly isEmbedded: boolean;
  readonly seed: number;
  readonly shard: Shard;
  /** When to begin, in milliseconds since the epoch; undefined begins as soon as everything is ready. */
  readonly startAt: number | undefined;
  /** Ends the run at once; the record is of what was measured until then. */
  readonly signal: AbortSignal;
  /** Called about once a second. */
  readonly onProgress: (progress: LoadProgress) => void;
};

/** How often the conditions that end a run are looked at. */
const lookMs = 1000;
/** How long answers that still wait to be judged hold up the end of a run. */
const judgingPatienceMs = 10_000;
const connectTimeoutMs = 10_000;
/** What lies between having everything ready and the first request. */
const headStartMs = 20;

/** What one engine did. */
export type EngineResult = {
  readonly sockets: SocketStats;
  readonly closes: number;
  readonly unfinished: number;
  readonly measuredMs: number;
  readonly offeredPerSecond: number | undefined;
  readonly isHeldBack: boolean;
  /** It ended because too many requests were under way at once. */
  readonly isSwamped: boolean;
};

/** Runs an open or a closed load to its record. Rejects only for faults of the suite. */
export async function runLoad(
  profile: Profile & { readonly load: OpenLoad | ClosedLoad },
  options: LoadOptions,
): Promise<LoadRecord> {
  const { target, seed, shard } = options;
  const run = await engineOf(profile.load);
  const measurement = createMeasurement(plannedMs(profile.load) ?? 0);
  const validator = await startValidator(profile.validate, seed);
  const plan = createRequestPlan({ target, profile, seed, shard, runId: runIdOf(seed), now: () => performance.now() });
  const startAt = startInstant(profile, options);
  const guard = watchAborts(profile, options, measurement);
  const stopTelling = tellProgress(options.onProgress, {
    startAt,
    plannedMs: plannedMs(profile.load),
    measurement,
    validator,
  });
  const use = watchGenerator();
  const result = await run({ profile, options, measurement, validator, plan, startAt, signal: guard.signal });
  const used = use();
  guard.end();
  stopTelling();
  return buildRecord({
    ...options,
    ...result,
    profile,
    startedAt: performance.timeOrigin + startAt,
    measurement,
    validation: await validator.end(judgingPatienceMs),
    use: used,
    ending: result.isSwamped ? swamped : guard.ending(),
    facts: noFacts,
    notes: plan.missing,
  });
}

const swamped: Ending = { kind: 'aborted', by: `${maxUnderWay.toLocaleString('en')} requests were under way at once` };
const noFacts: readonly Fact[] = [];

type EngineRun = {
  readonly profile: Profile;
  readonly options: LoadOptions;
  readonly measurement: Measurement;
  readonly validator: Validator;
  readonly plan: RequestPlan;
  /** When the measured part begins, on `performance.now()`. */
  readonly startAt: number;
  readonly signal: AbortSignal;
};

/** Loads the closed engine only when it is asked for: autocannon takes memory that an open load has no use for. */
async function engineOf(load: OpenLoad | ClosedLoad): Promise<(run: EngineRun) => Promise<EngineResult>> {
  if (load.kind === 'open') return (run) => open(run, load);
  const { runClosed } = await import('../engine/closed-engine.ts');
  return (run) => closed(run, load, runClosed);
}

async function open(
  { profile, options, measurement, validator, plan, startAt, signal }: EngineRun,
  load: OpenLoad,
): Promise<EngineResult> {
  const { target, seed, shard } = options;
  const sockets = openSockets(target.baseUrl, load.sockets, connectTimeoutMs);
  const due = arrivals(load, seed, shard);
  const { unfinished, isSwamped } = await runOpen({
    schedule: withWarmUp(profile.warmUpMs, load.ratePerSecond / shard.of, due),
    plan: plan.at,
    sockets,
    pacer: load.pacing === 'precise' ? precisePacer : timerPacer,
    measurement,
    startAt,
    listener: validator.offer,
    signal,
  });
  const stats = sockets.stats();
  sockets.close();
  const planned = plannedMs(load) ?? 0;
  return {
    sockets: stats,
    closes: 0,
    unfinished,
    isSwamped,
    measuredMs: Math.min(planned, Math.max(1, performance.now() - startAt)),
    offeredPerSecond: plannedArrivals(load) / (planned / 1000) / shard.of,
    isHeldBack: false,
  };
}

async function closed(
  { profile, options, measurement, validator, plan, signal }: EngineRun,
  load: ClosedLoad,
  engine: typeof runClosed,
): Promise<EngineResult> {
  const { target } = options;
  const { maxRequestsPerSecond } = target.limits;
  const { unfinished, closes, tookMs } = await engine({
    baseUrl: target.baseUrl,
    connections: load.connections,
    plan: plan.at,
    measurement,
    warmUpMs: profile.warmUpMs,
    durationMs: load.durationMs,
    gate: spacedGate(maxRequestsPerSecond),
    listener: validator.offer,
    signal,
  });
  return {
    sockets: { cap: load.connections, peak: load.connections, waited: 0 },
    closes,
    unfinished,
    isSwamped: false,
    measuredMs: Math.max(1, tookMs),
    offeredPerSecond: undefined,
    isHeldBack: Number.isFinite(maxRequestsPerSecond),
  };
}

/** The first instant of the measured part: all shards of a run that got the same start begin at the same time. */
function startInstant({ warmUpMs }: Profile, { startAt }: LoadOptions): number {
  const earliest = performance.now() + headStartMs + warmUpMs;
  return startAt === undefined ? earliest : Math.max(earliest, startAt - performance.timeOrigin);
}

/** Ends the run when the user or a condition of the profile wants it. */
function watchAborts(profile: Profile, options: LoadOptions, measurement: Measurement) {
  const controller = new AbortController();
  let ending: Ending = { kind: 'completed' };
  const interrupt = () => {
    ending = { kind: 'interrupted' };
    controller.abort();
  };
  options.signal.addEventListener('abort', interrupt);
  if (options.signal.aborted) interrupt();
  const timer = setInterval(() => {
    const reason = abortReason(profile.abort, measurement, profile.rateLimitedIsError);
    if (reason === undefined || controller.signal.aborted) return;
    ending = { kind: 'aborted', by: reason.text };
    controller.abort();
  }, lookMs);
  return {
    signal: controller.signal,
    ending: () => ending,
    end: () => {
      clearInterval(timer);
      options.signal.removeEventListener('abort', interrupt);
    },
  };
}

/** In every key that a run writes: no two runs share one. */
export function runIdOf(seed: number): string {
  return `${(seed >>> 0).toString(36)}${Math.floor(performance.timeOrigin + performance.now()).toString(36)}`;
}
