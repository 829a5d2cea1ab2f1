import { z } from 'zod';
import { realClock } from '../../core/clock.ts';
import type { LoadRecord, LoadThresholdRecord } from '../../reports/load/load-record.ts';
import { capReasons } from '../judge/judge-generator.ts';
import { pointOf } from '../measure/distribution.ts';
import { decodeHistogram, mergeHistograms } from '../measure/histogram.ts';
import { sentAndCapped } from '../measure/measurement.ts';
import { isLatency } from '../measure/outcome.ts';
import { count, duration, durationMs, rate, share, shareOf, sockets } from '../profile/fields.ts';
import type { LoadOptions, Profile } from '../profile/profile.ts';
import { isMet, type Threshold } from '../profile/threshold.ts';
import { defaultSockets, wholeLoad } from '../schedule/arrivals.ts';
import { type CapacityResult, nextTrial } from './capacity/next-trial.ts';
import { capacitySentence } from './capacity/render-capacity.ts';
import type { CapacityTrial } from './capacity/tally.ts';
import { loadKind } from './load-kind.ts';
import { openKind } from './open.ts';

const schema = z.strictObject(
  {
    from: rate().describe('The rate of the first trial.'),
    to: rate().describe('The highest rate that is tried.'),
    trial: duration('must be a time from 1s to 10m, such as 5s', 1000, 600_000).describe('How long a trial takes.'),
    repeats: count('must be a whole number from 1 to 20', 20).describe(
      'How often a rate at the border is tried at least.',
    ),
    precision: share('must be a share of the rate, such as 5%').describe(
      'The search ends when the border is known this exactly.',
    ),
    sockets: sockets(),
  },
  { error: 'must hold from, to, trial, repeats and precision' },
);

type CapacityLoad = {
  readonly fromPerSecond: number;
  readonly toPerSecond: number;
  readonly trialMs: number;
  readonly repeats: number;
  /** The search ends when the bracket is no wider than this share of its rate. */
  readonly precision: number;
  readonly sockets: number;
};

/** Searches for the highest rate at which every threshold passes, by trials of an open load: where does it break? */
export const capacityKind = loadKind<z.infer<typeof schema>, CapacityLoad>({
  name: 'capacity',
  schema,
  check: ({ from, to }) => (to <= from ? [{ path: ['to'], message: 'must be over from' }] : []),
  hasOwnDuration: () => true,
  resolve: ({ from, to, trial, repeats, precision, sockets: most = defaultSockets }) => ({
    fromPerSecond: from,
    toPerSecond: to,
    trialMs: durationMs(trial),
    repeats,
    precision: shareOf(precision),
    sockets: most,
  }),
  plannedMs: () => undefined,
  peakPerSecond: ({ toPerSecond }) => toPerSecond,
  describe: ({ trialMs, fromPerSecond, toPerSecond }) =>
    `trials of ${trialMs / 1000} s at ${fromPerSecond} to ${toPerSecond} requests a second`,
  run: runCapacity,
});

/** A search that takes more trials than this cannot find a capacity. */
const maxTrials = 200;
/** After a trial that broke, the target gets this share of its time to recover. */
const recoveryShare = 0.2;

async function runCapacity(load: CapacityLoad, profile: Profile, options: LoadOptions): Promise<LoadRecord> {
  const trials: CapacityTrial[] = [];
  let passed: LoadRecord | undefined;
  let last: LoadRecord | undefined;
  let next = nextTrial(load, trials);
  while (next.kind === 'trial' && trials.length < maxTrials && !options.signal.aborted) {
    const { ratePerSecond } = next;
    last = await runTrial(load, ratePerSecond, profile, { ...options, seed: (options.seed + trials.length) >>> 0 });
    if (last.result === 'interrupted') break;
    const trial = trialOf(last, ratePerSecond, profile.thresholds);
    trials.push(trial);
    if (trial.outcome === 'held') passed = last;
    else await realClock.sleep(recoveryShare * load.trialMs);
    next = nextTrial(load, trials);
  }
  const record = passed ?? last;
  if (record === undefined) throw new Error('a search without a trial');
  if (next.kind !== 'done')
    return { ...record, result: 'interrupted', sentence: `Interrupted after ${trials.length} trials.` };
  return concluded(record, profile, trials, next.result);
}

/** Each trial has its own seed and so its own arrivals, so repeating a trial does not send the same requests again. */
function runTrial(
  { sockets: most, trialMs }: CapacityLoad,
  ratePerSecond: number,
  profile: Profile,
  options: LoadOptions,
): Promise<LoadRecord> {
  const stages = [{ ratePerSecond, overMs: trialMs }];
  const load = openKind.of({ arrivals: 'poisson', pacing: 'timer', sockets: most, ratePerSecond, stages });
  return load.run({ ...profile, load }, { ...options, shard: wholeLoad, startAt: undefined });
}

function trialOf(record: LoadRecord, ratePerSecond: number, thresholds: readonly Threshold[]): CapacityTrial {
  const answered = record.operations.flatMap(({ outcomes }) => outcomes).filter((one) => isLatency(one.class));
  const times = mergeHistograms(answered.map(({ latency }) => decodeHistogram(latency.hdr)));
  return {
    ratePerSecond,
    outcome: outcomeOf(record, thresholds),
    throughputPerSecond: record.throughputPerSecond,
    p50Ms: pointOf(times, 'p50'),
    p95Ms: pointOf(times, 'p95'),
    p99Ms: pointOf(times, 'p99'),
  };
}

/**
 * A late generator only makes latencies longer, so a threshold that passed in spite of it counts. At a low rate a
 * threshold may be unjudged because there were too few answers, which is no sign of distress.
 */
function outcomeOf(
  { thresholds: judged, result, unserved, operations }: LoadRecord,
  thresholds: readonly Threshold[],
): CapacityTrial['outcome'] {
  if (unserved.length > 0) return 'broke';
  if (judged.some(({ verdict }) => verdict === 'missed') || result === 'aborted') return 'broke';
  if (capReasons(sentAndCapped(operations)).length > 0) return 'generator';
  const isDoubtful = thresholds.some((threshold, index) => {
    const { actual, verdict } = judged[index] ?? {};
    return verdict === 'unjudged' && actual !== undefined && !isMet(threshold, actual);
  });
  return isDoubtful ? 'generator' : 'held';
}

/** The record of the last trial that passed, with the result of the search. */
function concluded(
  record: LoadRecord,
  { load, name }: Profile,
  trials: readonly CapacityTrial[],
  result: CapacityResult,
): LoadRecord {
  const isBelow = result.kind === 'below';
  // Where even the lowest rate is not served, the rate is not the problem.
  const isVerdict = record.unserved.length === 0 && (!isBelow || result.limit === 'target');
  return {
    ...record,
    profile: { ...record.profile, name, kind: load.kind },
    result: isVerdict ? (isBelow ? 'missed' : 'held') : 'unjudged',
    thresholds: isBelow ? record.thresholds : record.thresholds.map(asSearched),
    sentence: [
      capacitySentence(result, trials.length),
      ...(record.unserved.length > 0 ? [`The lowest rate: ${record.sentence}`] : []),
      ...(record.result === 'held' ? [`The last trial that passed: ${record.sentence}`] : []),
    ].join(' '),
    capacity: { trials: [...trials], result },
  };
}

/** A threshold that stayed unjudged in a trial that passed does not matter to the search. */
function asSearched(one: LoadThresholdRecord): LoadThresholdRecord {
  return one.verdict === 'unjudged' ? { text: one.text, actual: one.actual, verdict: 'held' } : one;
}
