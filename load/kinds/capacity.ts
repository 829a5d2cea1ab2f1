import { z } from 'zod';
import { realClock } from '../../core/clock.ts';
import type { CapacityRecord } from '../../reports/load/capacity-record.ts';
import type { LoadRecord, LoadThresholdRecord } from '../../reports/load/load-record.ts';
import { capReasons } from '../judge/judge-generator.ts';
import { mergeChanges } from '../judge/merge-changes.ts';
import { pointOf } from '../measure/distribution.ts';
import { decodeHistogram, mergeHistograms } from '../measure/histogram.ts';
import { sentAndCapped } from '../measure/measurement.ts';
import { isLatency } from '../measure/outcome.ts';
import { count, duration, durationMs, rate, share, shareOf, sockets } from '../profile/fields.ts';
import type { LoadOptions, Profile } from '../profile/profile.ts';
import { isMet, type Threshold } from '../profile/threshold.ts';
import { defaultSockets, type OpenSchedule, wholeLoad } from '../schedule/arrivals.ts';
import { type Broke, type CorrectTrials, correctTrials, type JudgedTrial } from './capacity/correct-trials.ts';
import { asJudged } from './capacity/judged-rates.ts';
import { type CapacityOptions, type Next, nextTrial, soFar } from './capacity/next-trial.ts';
import { capacitySentence } from './capacity/render-capacity.ts';
import { asCorrect, breaksFrom, type CapacityTrial } from './capacity/tally.ts';
import { loadKind } from './load-kind.ts';
import { openKind } from './open.ts';

const schema = z.strictObject(
  {
    from: rate().describe('The rate of the first trial.'),
    to: rate().describe('The highest rate that is tried.'),
    trial: duration('must be a time from 1s to 10m, such as 5s', 1000, 600_000).describe('How long a trial takes.'),
    repeats: count('must be a whole number from 1 to 20', 20).describe(
      'The minimum number of trials at a rate near the border.',
    ),
    precision: share('must be a share of the rate, such as 5%').describe(
      'The search ends when it knows the border to this precision.',
    ),
    sockets: sockets(),
    correct: z
      .boolean({ error: 'must be true or false: whether a trial fails if a requirement breaks' })
      .describe(
        'Whether a broken requirement fails a trial; false by default. If true, one request in ten repeats a message or writes to a busy chat, and so does each message for which no chat is idle.',
      )
      .optional(),
  },
  { error: 'must hold from, to, trial, repeats and precision' },
);

type CapacityLoad = CapacityOptions & {
  readonly trialMs: number;
  readonly sockets: number;
  /** Whether the search also judges sequences of answers. If so, a violation fails a trial. */
  readonly correct?: true;
};

/** Searches for the highest rate at which every threshold passes, by trials of an open load: where does it break? */
export const capacityKind = loadKind<z.infer<typeof schema>, CapacityLoad>({
  name: 'capacity',
  example: 'capacity',
  schema,
  check: ({ from, to }) => (to <= from ? [{ path: ['to'], message: 'must be over from' }] : []),
  hasOwnDuration: () => true,
  usesUp: ({ correct = false }) => (correct ? ['deleteDataSource'] : []),
  resolve: ({ from, to, trial, repeats, precision, sockets: most = defaultSockets, correct = false }) => ({
    fromPerSecond: from,
    toPerSecond: to,
    trialMs: durationMs(trial),
    repeats,
    precision: shareOf(precision),
    sockets: most,
    ...(correct ? { correct } : {}),
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
  const changed: LoadRecord['usedUp'][] = [];
  const correct = load.correct ? correctTrials(profile, options, load.toPerSecond) : undefined;
  let first: Broke | undefined;
  let passed: LoadRecord | undefined;
  let last: LoadRecord | undefined;
  let next = nextOf(load, trials);
  while (next.kind === 'trial' && trials.length < maxTrials && !options.signal.aborted) {
    const { ratePerSecond } = next;
    const trialOptions: LoadOptions = {
      ...options,
      seed: (options.seed + trials.length) >>> 0,
      onProgress(report) {
        const recordOf: typeof report.recordOf = (slices) => {
          const trial = report.recordOf(slices);
          return { ...inSearch(trial, profile, trials), usedUp: mergeChanges([...changed, trial.usedUp]) };
        };
        options.onProgress({ ...report, recordOf });
      },
    };
    const { record, broke } = await runTrial(load, ratePerSecond, profile, trialOptions, correct);
    last = record;
    changed.push(record.usedUp);
    if (last.result === 'interrupted') break;
    const trial = trialOf(last, ratePerSecond, decisive(profile, last, broke), broke);
    trials.push(trial);
    if (broke.length > 0 && ratePerSecond < (first?.ratePerSecond ?? Infinity)) first = broke[0];
    if (trial.outcome === 'held' && ratePerSecond < breaksFrom(trials)) passed = last;
    if (trial.outcome !== 'held') await realClock.sleep(recoveryShare * load.trialMs);
    next = nextOf(load, trials);
  }
  const shown = passed ?? last;
  if (shown === undefined) throw new Error('a search without a trial');
  const { endedBy: _ofTrial, ...ofSearch } = shown;
  const record = { ...ofSearch, usedUp: mergeChanges(changed) };
  if (next.kind !== 'done') return { ...inSearch(record, profile, trials), result: 'interrupted' };
  const search = nextTrial(load, asCorrect(trials));
  const correctUpTo = search.kind === 'done' ? search.result : next.result;
  const { result, unjudged } = asJudged(correctUpTo, correct?.keptAt() ?? []);
  return concluded({ ...record, facts: [...(correct?.facts() ?? []), ...record.facts] }, profile, {
    trials,
    result,
    ...(first === undefined && unjudged === undefined ? {} : { thresholds: next.result }),
    ...(unjudged === undefined ? {} : { unjudged }),
    ...(first === undefined ? {} : { broke: first }),
  });
}

/** The search for the highest rate without a violation comes first, then the search by thresholds alone. Both share all trials. */
function nextOf(load: CapacityLoad, trials: readonly CapacityTrial[]): Next {
  const next = nextTrial(load, asCorrect(trials));
  return next.kind === 'done' ? nextTrial(load, trials) : next;
}

/** Each trial has its own seed and so its own arrivals, so repeating a trial does not send the same requests again. */
async function runTrial(
  { sockets: most, trialMs }: CapacityLoad,
  ratePerSecond: number,
  profile: Profile,
  options: LoadOptions,
  correct: CorrectTrials | undefined,
): Promise<JudgedTrial> {
  const stages = [{ ratePerSecond, overMs: trialMs }];
  const schedule: OpenSchedule = { arrivals: 'poisson', pacing: 'timer', sockets: most, ratePerSecond, stages };
  const trial = { ...profile, load: openKind.of(schedule) };
  const alone = { ...options, shard: wholeLoad, startAt: undefined };
  if (correct !== undefined) return correct.run(schedule, trial, alone);
  return { record: await trial.load.run(trial, alone), broke: [] };
}

type Judged = { readonly threshold: Threshold; readonly found: LoadThresholdRecord };

/** The thresholds that decide a trial. Where broken requirements are judged by themselves, violations are not judged twice. */
function decisive({ thresholds }: Profile, record: LoadRecord, broke: readonly Broke[]): readonly Judged[] {
  return thresholds.flatMap((threshold, index) => {
    const found = record.thresholds[index];
    const isCorrectness = broke.length > 0 && threshold.measure.kind === 'violations';
    return found === undefined || isCorrectness ? [] : [{ threshold, found }];
  });
}

function trialOf(
  record: LoadRecord,
  ratePerSecond: number,
  thresholds: readonly Judged[],
  broke: readonly Broke[],
): CapacityTrial {
  const outcome = outcomeOf(record, thresholds);
  const answered = record.operations.flatMap(({ outcomes }) => outcomes).filter((one) => isLatency(one.class));
  const times = mergeHistograms(answered.map(({ latency }) => decodeHistogram(latency.hdr)));
  return {
    ratePerSecond,
    outcome,
    throughputPerSecond: record.throughputPerSecond,
    p50Ms: pointOf(times, 'p50'),
    p95Ms: pointOf(times, 'p95'),
    p99Ms: pointOf(times, 'p99'),
    ...(outcome === 'broke' ? { failed: whyFailed(record, thresholds) } : {}),
    ...(broke.length === 0 ? {} : { broke: [...new Set(broke.map(({ requirement }) => requirement))] }),
  };
}

/**
 * A late generator only makes latencies longer, so a threshold that passed in spite of it counts. At a low rate a
 * threshold may be unjudged because there were too few answers, which is no sign of distress.
 */
function outcomeOf(
  { result, unserved, operations }: LoadRecord,
  thresholds: readonly Judged[],
): CapacityTrial['outcome'] {
  if (unserved.length > 0) return 'broke';
  if (thresholds.some(({ found }) => found.verdict === 'missed') || result === 'aborted') return 'broke';
  if (capReasons(sentAndCapped(operations)).length > 0) return 'generator';
  const isDoubtful = thresholds.some(({ threshold, found: { actual, verdict } }) => {
    return verdict === 'unjudged' && actual !== undefined && !isMet(threshold, actual);
  });
  return isDoubtful ? 'generator' : 'held';
}

function whyFailed({ unserved, result, endedBy }: LoadRecord, thresholds: readonly Judged[]): string[] {
  return [
    ...thresholds.filter(({ found }) => found.verdict === 'missed').map(({ threshold }) => threshold.text),
    ...unserved.map((operation) => `no request of ${operation} succeeded`),
    ...(result === 'aborted' ? [`it ended early, because ${endedBy}`] : []),
  ];
}

/** The record of a trial in a search that is not over. */
function inSearch(trial: LoadRecord, { load, name }: Profile, trials: readonly CapacityTrial[]): LoadRecord {
  const capacity: CapacityRecord = { trials: [...trials], result: soFar(asCorrect(trials)) };
  return {
    ...trial,
    profile: { ...trial.profile, name, kind: load.kind },
    sentence: `${capacitySentence(capacity)} The latest trial: ${trial.sentence}`,
    capacity,
  };
}

/** The record of the last trial that passed, with the result of the search. */
function concluded(record: LoadRecord, { load, name }: Profile, capacity: CapacityRecord): LoadRecord {
  const { result } = capacity;
  const isBelow = result.kind === 'below';
  // Where even the lowest rate is not served, the rate is not the problem.
  const isKnown = result.kind !== 'unjudged' && (!isBelow || result.limit === 'target');
  const isVerdict = record.unserved.length === 0 && isKnown;
  return {
    ...record,
    profile: { ...record.profile, name, kind: load.kind },
    result: isVerdict ? (isBelow ? 'missed' : 'held') : 'unjudged',
    thresholds: isBelow ? record.thresholds : record.thresholds.map(asSearched),
    sentence: [
      capacitySentence(capacity),
      ...(record.unserved.length > 0 ? [`The lowest rate: ${record.sentence}`] : []),
      ...(record.result === 'held' && !isBelow ? [`The last trial that passed: ${record.sentence}`] : []),
    ].join(' '),
    capacity,
  };
}

/** The search treats a threshold that was not judged in a passed trial as passed. */
function asSearched(one: LoadThresholdRecord): LoadThresholdRecord {
  const { reason: _reason, ...rest } = one;
  return one.verdict === 'unjudged' ? { ...rest, verdict: 'held' } : one;
}
