import type { LongPollLoad, OpenLoad, Profile } from '../../profile/profile.ts';
import type { Fact, LoadRecord } from '../../../reports/load/load-record.ts';
import { realClock } from '../../../core/clock.ts';
import { arrivals, wholeLoad } from '../../schedule/arrivals.ts';
import { buildRecord } from '../../judge/build-record.ts';
import { openChats } from '../../schedule/chat-turns.ts';
import { pointOf } from '../../measure/distribution.ts';
import { watchGenerator } from '../../measure/generator-watch.ts';
import { timesOf } from '../../judge/judge-thresholds.ts';
import { createMeasurement, type Measurement } from '../../measure/measurement.ts';
import { runOpen, withWarmUp } from '../../engine/open-engine.ts';
import { timerPacer } from '../../engine/pacer.ts';
import { createRequestPlan } from '../../schedule/request-plan.ts';
import { type LoadOptions, runIdOf } from '../run-load.ts';
import { openSockets, type SocketPool } from '../../engine/sockets.ts';
import { tellProgress } from '../../measure/tell-progress.ts';
import { startValidator, type Validator } from '../../validate/validator.ts';
import { type Held, holdRequests } from './hold-requests.ts';

const connectTimeoutMs = 10_000;
const judgingPatienceMs = 5000;
const mixSockets = 256;
const headStartMs = 20;
/** How long the requests get to be held, before anything is measured. */
const fillMs = 1000;

type Run = {
  readonly profile: Profile & { readonly load: LongPollLoad };
  readonly options: LoadOptions;
  readonly validator: Validator;
  readonly sockets: SocketPool;
};

/** What the other operations cost while nothing is held, and while very many requests are. */
export async function runLongPoll(profile: Run['profile'], options: LoadOptions): Promise<LoadRecord> {
  const { target, seed, signal } = options;
  const { held: wanted, waitSeconds, durationMs } = profile.load;
  const chats = openChats(target);
  const validator = await startValidator(profile.validate, seed);
  const sockets = openSockets(target.baseUrl, mixSockets, connectTimeoutMs);
  const run: Run = { profile, options, validator, sockets };
  const before = createMeasurement(durationMs);
  await runMix(run, before, performance.now() + profile.warmUpMs + headStartMs);

  const use = watchGenerator();
  const measurement = createMeasurement(durationMs);
  const holding = openSockets(target.baseUrl, wanted, connectTimeoutMs);
  const enough = new AbortController();
  signal.addEventListener('abort', () => enough.abort());
  const startAt = performance.now() + fillMs;
  const stopTelling = tellProgress(options.onProgress, { startAt, plannedMs: durationMs, measurement, validator });
  const held = holdRequests(
    {
      target,
      sockets: holding,
      measurement,
      startAt,
      listener: validator.offer,
      signal,
      runId: runIdOf(seed),
      timeoutMs: profile.timeoutMs,
    },
    chats,
    { held: wanted, waitSeconds },
    enough.signal,
  );
  await realClock.sleep(fillMs / 2);
  await runMix(run, measurement, startAt);
  const heldAtEnd = held.now();
  const measuredMs = performance.now() - startAt;
  const used = use();
  enough.abort();
  await held.ended;
  stopTelling();
  const stats = { cap: wanted, peak: held.peak(), waited: sockets.stats().waited };
  sockets.close();
  holding.close();
  return buildRecord({
    ...options,
    shard: wholeLoad,
    profile,
    startedAt: performance.timeOrigin + startAt,
    measuredMs,
    measurement,
    validation: await validator.end(judgingPatienceMs),
    use: used,
    sockets: stats,
    closes: 0,
    unfinished: 0,
    offeredPerSecond: undefined,
    isHeldBack: false,
    ending: signal.aborted ? { kind: 'interrupted' } : { kind: 'completed' },
    facts: factsOf(profile.load, held, heldAtEnd, chats.length, before, measurement),
    notes: [],
  });
}

async function runMix(
  { profile, options, validator, sockets }: Run,
  measurement: Measurement,
  startAt: number,
): Promise<void> {
  const { load } = profile;
  const { target, seed } = options;
  const stages = [{ ratePerSecond: load.ratePerSecond, overMs: load.durationMs }];
  const { ratePerSecond } = load;
  const open: OpenLoad = {
    kind: 'open',
    arrivals: 'poisson',
    pacing: 'timer',
    sockets: mixSockets,
    ratePerSecond,
    stages,
  };
  const plan = createRequestPlan({
    target,
    profile,
    seed,
    shard: wholeLoad,
    runId: runIdOf(seed),
    now: () => performance.now(),
  });
  await runOpen({
    schedule: withWarmUp(Math.min(profile.warmUpMs, fillMs / 2), ratePerSecond, arrivals(open, seed)),
    plan: plan.at,
    sockets,
    pacer: timerPacer,
    measurement,
    startAt,
    listener: validator.offer,
    signal: options.signal,
  });
}

function factsOf(
  { held: wanted, waitSeconds }: LongPollLoad,
  held: Held,
  heldAtEnd: number,
  chats: number,
  before: Measurement,
  during: Measurement,
): readonly Fact[] {
  if (chats === 0) return [{ name: 'held requests', value: 'none: no chat may be written to', verdict: 'unclear' }];
  const isHolding = heldAtEnd >= 0.9 * wanted;
  const note =
    held.atOnce() === 0 ? '' : `; ${held.atOnce()} repeated requests were answered at once instead of being held`;
  return [
    {
      name: 'held requests',
      value: `${heldAtEnd} of ${wanted} with wait=${waitSeconds}, on ${chats} chats${note}`,
      verdict: isHolding ? 'good' : 'unclear',
    },
    { name: 'the others before', value: timesText(before) },
    { name: 'the others meanwhile', value: timesText(during) },
  ];
}

/** Latencies of everything but messages. */
function timesText({ operations }: Measurement): string {
  const times = timesOf(
    [...operations].filter(([operation]) => operation !== 'sendMessage'),
    'latency',
  );
  const at = (point: 'p50' | 'p95' | 'p99') => `${point} ${pointOf(times, point).toFixed(1)} ms`;
  return `${at('p50')}, ${at('p95')}, ${at('p99')} of ${times.totalCount} answers`;
}
