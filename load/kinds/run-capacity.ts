import { realClock } from '../../core/clock.ts';
import type { CapacityLoad, OpenLoad, Profile } from '../profile/profile.ts';
import { keeps, type Threshold } from '../profile/threshold.ts';
import type { CapacityRecord, LoadRecord, LoadThresholdRecord } from '../../reports/load/load-record.ts';
import { wholeLoad } from '../schedule/arrivals.ts';
import type { CapacityTrial } from './capacity/capacity-trial.ts';
import { type CapacityResult, nextTrial } from './capacity/next-trial.ts';
import { capacitySentence } from './capacity/render-capacity.ts';
import { decodeHistogram, mergeHistograms } from '../measure/histogram.ts';
import { pointOf } from '../measure/distribution.ts';
import { type LoadOptions, runLoad } from './run-load.ts';

/** A search that takes more trials has met something that is no capacity. */
const maxTrials = 200;
/** After a trial that broke, the target gets this share of its time to get over it. */
const recoveryShare = 0.2;

/** Looks for the highest rate at which every threshold holds, by trials of an open load. */
export async function runCapacity(
  profile: Profile & { readonly load: CapacityLoad },
  options: LoadOptions,
): Promise<LoadRecord> {
  const { load } = profile;
  const trials: CapacityTrial[] = [];
  let held: LoadRecord | undefined;
  let last: LoadRecord | undefined;
  let next = nextTrial(load, trials);
  while (next.kind === 'trial' && trials.length < maxTrials && !options.signal.aborted) {
    const { ratePerSecond } = next;
    last = await runLoad({ ...profile, load: trialLoad(load, ratePerSecond) }, trialOptions(options, trials.length));
    if (last.result === 'interrupted') break;
    const trial = trialOf(last, ratePerSecond, profile.thresholds);
    trials.push(trial);
    if (trial.outcome === 'held') held = last;
    else await realClock.sleep(recoveryShare * load.trialMs);
    next = nextTrial(load, trials);
  }
  const record = held ?? last;
  if (record === undefined) throw new Error('a search without a trial');
  return concluded(record, profile, trials, next.kind === 'done' ? next.result : undefined);
}

function trialLoad({ sockets, trialMs }: CapacityLoad, ratePerSecond: number): OpenLoad {
  const stages = [{ ratePerSecond, overMs: trialMs }];
  return { kind: 'open', arrivals: 'poisson', pacing: 'timer', sockets, ratePerSecond, stages };
}

/** Each trial draws arrivals of its own, so that repeating one is more than sending the same again. */
function trialOptions(options: LoadOptions, ordinal: number): LoadOptions {
  return { ...options, seed: (options.seed + ordinal) >>> 0, shard: wholeLoad, startAt: undefined };
}

function trialOf(record: LoadRecord, ratePerSecond: number, thresholds: readonly Threshold[]): CapacityTrial {
  const answered = record.operations
    .flatMap(({ outcomes }) => outcomes)
    .filter(({ class: kind }) => kind === 'ok' || kind === 'timeout');
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
 * A generator that was late only made latencies longer: what held all the same, held. At a low rate a threshold may go
 * unjudged for want of answers, which is no sign of distress.
 */
function outcomeOf(
  { thresholds: judged, result }: LoadRecord,
  thresholds: readonly Threshold[],
): CapacityTrial['outcome'] {
  if (judged.some(({ verdict }) => verdict === 'missed') || result === 'aborted') return 'broke';
  const isDoubtful = thresholds.some(({ comparator, bound }, index) => {
    const { actual, verdict } = judged[index] ?? {};
    return verdict === 'unjudged' && actual !== undefined && !keeps(actual, comparator, bound);
  });
  return isDoubtful ? 'generator' : 'held';
}

/** The record of the last trial that held, with what the search found. */
function concluded(
  record: LoadRecord,
  { load, name }: Profile & { readonly load: CapacityLoad },
  trials: readonly CapacityTrial[],
  result: CapacityResult | undefined,
): LoadRecord {
  if (result === undefined)
    return { ...record, result: 'interrupted', sentence: `Interrupted after ${trials.length} trials.` };
  const capacity: CapacityRecord = { trials: [...trials], result };
  const isVerdict = result.kind !== 'below' || result.limit === 'target';
  return {
    ...record,
    profile: { ...record.profile, name, kind: load.kind },
    result: isVerdict ? (result.kind === 'below' ? 'missed' : 'held') : 'unjudged',
    thresholds: result.kind === 'below' ? record.thresholds : record.thresholds.map(asSearched),
    sentence: [
      capacitySentence(result, trials.length),
      ...(record.result === 'held' ? [`Of the last trial that held: ${record.sentence}`] : []),
    ].join(' '),
    capacity,
  };
}

/** What went unjudged in a trial that held all the same is no matter of the search. */
function asSearched(one: LoadThresholdRecord): LoadThresholdRecord {
  return one.verdict === 'unjudged' ? { text: one.text, actual: one.actual, verdict: 'held' } : one;
}
