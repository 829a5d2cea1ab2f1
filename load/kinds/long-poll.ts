import { z } from 'zod';
import { realClock } from '../../core/clock.ts';
import type { Fact } from '../../reports/load/load-record.ts';
import { runOpen, withWarmUp } from '../engine/open-engine.ts';
import { timerPacer } from '../engine/pacer.ts';
import { bothCaps, createRateCap } from '../engine/rate-cap.ts';
import { openSockets, type SocketPool } from '../engine/sockets.ts';
import { latencyText, trimmed } from '../judge/headline.ts';
import { type Measured, timesOf } from '../judge/measured.ts';
import { leastCount, pointOf } from '../measure/distribution.ts';
import type { TimeHistogram } from '../measure/histogram.ts';
import { createMeasurement, type Measurement } from '../measure/measurement.ts';
import { count, rate } from '../profile/fields.ts';
import type { LoadOptions, Profile } from '../profile/profile.ts';
import { latencyFigure, some } from '../../reports/text/figures.ts';
import { arrivals } from '../schedule/arrivals.ts';
import { openChats } from '../schedule/chat-turns.ts';
import { createRequestPlan } from '../schedule/request-plan.ts';
import { beginRun, connectTimeoutMs, type Run } from './begin-run.ts';
import { openWriter } from './contention/chat-writer.ts';
import { type Held, holdRequests } from './contention/hold-requests.ts';
import { loadKind } from './load-kind.ts';

const schema = z.strictObject(
  {
    held: count('must be a whole number of requests from 1 to 50000', 50_000).describe(
      'The number of messages that are held open at once.',
    ),
    wait: count('must be a whole number of seconds from 1 to 300', 300).describe('How long each is held, in seconds.'),
    rate: rate().describe('The rate of the other operations.'),
  },
  { error: 'must hold held, wait and rate' },
);

type LongPollLoad = {
  /** Requests that are held open at once. */
  readonly held: number;
  readonly waitSeconds: number;
  /** The rate of the other operations. */
  readonly ratePerSecond: number;
  readonly durationMs: number;
};

/** The other operations, first while nothing is held, then while many requests are: what do held requests cost them? */
export const longPollKind = loadKind<z.infer<typeof schema>, LongPollLoad>({
  name: 'longPoll',
  example: 'long-poll',
  schema,
  sendsBeside: 'sendMessage',
  effects: () => ['messages'],
  resolve: ({ held, wait, rate: ratePerSecond }, durationMs) => ({
    held,
    waitSeconds: wait,
    ratePerSecond,
    durationMs,
  }),
  plannedMs: ({ durationMs }) => durationMs,
  besideMs: ({ durationMs, waitSeconds }) => durationMs + waitSeconds * 1000,
  peakPerSecond: ({ ratePerSecond, held, waitSeconds }) => ratePerSecond + held / Math.max(1, waitSeconds),
  describe: ({ held, waitSeconds, ratePerSecond }) =>
    `up to ${held} requests that wait ${waitSeconds} s, and ${ratePerSecond} others a second`,
  headline: (load, { operations }) => costText(load, otherTimes(operations)),
  run: runLongPoll,
});

const mixSockets = 256;
const headStartMs = 20;
/** How long requests are held before the measured part begins. */
const fillMs = 1000;

async function runLongPoll(load: LongPollLoad, profile: Profile, options: LoadOptions) {
  const { target } = options;
  const { held: wanted, durationMs } = load;
  const chats = openChats(target);
  const run = await beginRun(profile, options);
  const pool = openSockets(target, mixSockets, connectTimeoutMs, options.rateCap);
  const before = createMeasurement(durationMs);
  const sendMix = (measurement: Measurement, startAt: number) =>
    runMix({ ...run, measurement }, load, profile, options, pool, startAt);
  await sendMix(before, performance.now() + profile.warmUpMs + headStartMs);

  const startAt = performance.now() + fillMs;
  run.begin(startAt);
  const enough = new AbortController();
  const writer = openWriter(run, {
    ...options,
    startAt,
    connections: wanted,
    profile,
    rateCap: heldCap(load, options),
  });
  const held = holdRequests(writer, chats, load, AbortSignal.any([run.signal, enough.signal]));
  await realClock.sleep(fillMs / 2);
  await sendMix(run.measurement, startAt);
  const heldAtEnd = held.now();
  run.stop();
  enough.abort();
  await held.ended;
  const sockets = { cap: wanted, peak: held.peak(), waited: pool.stats().waited };
  pool.close();
  writer.sockets.close();
  const facts = factsOf(load, held, heldAtEnd, chats.length, before, run.measurement);
  const headline = costText(load, otherTimes(run.measurement.operations), otherTimes(before.operations));
  return run.end({ sockets, facts, headline });
}

/** How long the others took beside held requests, and before there were any if that is known. */
export function costText(
  { held, ratePerSecond }: Pick<LongPollLoad, 'held' | 'ratePerSecond'>,
  during: TimeHistogram,
  before?: TimeHistogram,
): string {
  if (during.totalCount === 0) return `no answer to anything beside ${held} held requests`;
  const cost = `${latencyText(during)} of ${trimmed(ratePerSecond)} req/s beside ${held} held requests`;
  return before === undefined || before.totalCount === 0 ? cost : `${cost} (before: ${latencyText(before)})`;
}

/** Held requests are sent again all at once. They leave the others the room that random arrivals need. */
function heldCap({ held, waitSeconds, ratePerSecond }: LongPollLoad, { target, rateCap }: LoadOptions) {
  const { maxRequestsPerSecond } = target.limits;
  const least = held / waitSeconds;
  const left = maxRequestsPerSecond - (ratePerSecond + 4 * Math.sqrt(ratePerSecond));
  return bothCaps(createRateCap(Math.max(least, left)), rateCap);
}

async function runMix(
  run: Run,
  { ratePerSecond, durationMs }: LongPollLoad,
  profile: Profile,
  { target, seed, shard }: LoadOptions,
  sockets: SocketPool,
  startAt: number,
): Promise<void> {
  const stages = [{ ratePerSecond, overMs: durationMs }];
  const plan = createRequestPlan({ target, profile, seed, shard, runId: run.runId, now: () => performance.now() });
  await runOpen({
    ...run,
    schedule: withWarmUp(
      Math.min(profile.warmUpMs, fillMs / 2),
      ratePerSecond,
      arrivals({ arrivals: 'poisson', ratePerSecond, stages }, seed),
    ),
    plan: plan.at,
    sockets,
    pacer: timerPacer,
    startAt,
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
  if (chats === 0) return [{ name: 'held requests', value: 'none: no chat can be written to', verdict: 'unclear' }];
  const isHolding = heldAtEnd >= 0.9 * wanted;
  const atOnce = held.atOnce();
  const note = atOnce === 0 ? '' : `; ${atOnce} repeated requests were answered at once instead of being held`;
  return [
    {
      name: 'held requests',
      value: `${heldAtEnd} of ${wanted} with wait=${waitSeconds}, on ${chats} chats${note}`,
      verdict: isHolding ? 'good' : 'unclear',
      figure: { text: `${heldAtEnd} of ${wanted}`, unit: 'held' },
    },
    { name: 'the others before', value: timesText(before), figure: p95Figure(before) },
    { name: 'the others meanwhile', value: timesText(during), figure: p95Figure(during) },
  ];
}

function p95Figure({ operations }: Measurement): Fact['figure'] {
  const times = otherTimes(operations);
  return {
    text: latencyFigure(times.totalCount < leastCount('p95') ? undefined : pointOf(times, 'p95')),
    unit: 'ms p95',
  };
}

function timesText({ operations }: Measurement): string {
  return latenciesText(otherTimes(operations));
}

/** The percentiles that there are enough answers for, and their number. */
export function latenciesText(times: TimeHistogram): string {
  const points = (['p50', 'p95', 'p99'] as const).filter((point) => times.totalCount >= leastCount(point));
  const figures = points.map((point) => `${point} ${pointOf(times, point).toFixed(1)} ms`).join(', ');
  return `${figures || 'no percentile'} of ${some(times.totalCount, 'answer')}`;
}

/** Latencies of all operations except messages, which are held on purpose. */
function otherTimes(operations: Measured['operations']) {
  return timesOf(
    [...operations].filter(([operation]) => operation !== 'sendMessage'),
    'latency',
  );
}
