import type { Target } from '../../core/target.ts';
import { type Profile, profileDigest } from '../profile/profile.ts';
import { identity } from '../../reports/record/identity.ts';
import { changesRecord } from '../../reports/record/used-up-record.ts';
import { type Fact, type LoadRecord, loadRecordFormat } from '../../reports/load/load-record.ts';
import type { GeneratorEnvironment } from '../../reports/load/generator-record.ts';
import type { ServerRecord } from '../../reports/load/server-record.ts';
import {
  type DistributionOf,
  operationRecords,
  phaseRecord,
  type SlowRecords,
  stepRecords,
} from './operation-records.ts';
import { serverFacts } from './server-facts.ts';
import type { Changes } from '../../engine/session/change-ledger.ts';
import type { Operation } from '../../spec/requirement.ts';
import type { Shard } from '../schedule/arrivals.ts';
import { rateCurve } from '../schedule/rate-curve.ts';
import { conclude, type Ending } from './conclude.ts';
import { generatorEnvironment } from '../measure/generator-environment.ts';
import type { GeneratorUse } from '../measure/generator-watch.ts';
import { type GeneratorJudgement, judgeGenerator } from './judge-generator.ts';
import { type Measured, timesOf } from './measured.ts';
import { rateLimitedNotes } from './rate-limited.ts';
import { type Measurement, sentAndCapped, type Slice } from '../measure/measurement.ts';
import type { SocketStats } from '../engine/sockets.ts';
import { count, some } from '../../reports/text/figures.ts';
import type { TalliedAnswers } from '../validate/answer-tally.ts';
import type { ValidationResult } from '../validate/validation-desk.ts';
import type { Violations } from '../validate/violation-book.ts';

/** What a kind of load reports at the end of a run. */
export type Driven = {
  readonly sockets: SocketStats;
  /** Connections that closed without notice. */
  readonly closes?: number;
  /** Requests that were under way when the run ended. */
  readonly unfinished?: number;
  /** Whether the limits of the target file held the load back. */
  readonly isHeldBack?: boolean;
  /** Why the throughput is that of these limits rather than that of the target. */
  readonly heldBackBecause?: string;
  /** How long the measured part took, unless it is the time from its beginning to its end. */
  readonly measuredMs?: number;
  /** How it ended, unless it completed or was ended by the user or a condition. */
  readonly ending?: Ending;
  readonly facts?: readonly Fact[];
  /** The result in a few words, unless the kind sums up every run in the same way. */
  readonly headline?: string | undefined;
  /** Operations of which a request must succeed for a verdict, unless it is all that were scheduled. */
  readonly mustServe?: readonly Operation[];
  readonly notes?: readonly string[];
};

/** Everything that is known when a run is over. */
export type RunFacts = Driven & {
  readonly target: Target;
  readonly isEmbedded: boolean;
  readonly profile: Profile;
  readonly seed: number;
  readonly shard: Shard;
  /** When the measured part began, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly measuredMs: number;
  readonly measurement: Measurement;
  readonly validation: ValidationResult;
  readonly use: GeneratorUse;
  readonly ending: Ending;
  readonly server: ServerRecord | undefined;
  readonly changes: Changes;
  readonly slowRecord: SlowRecords;
  readonly violationRecord: (violations: Violations) => LoadRecord['violations'][number];
  readonly distributionOf: DistributionOf;
};

export function buildRecord(run: RunFacts): LoadRecord {
  const { target, profile, measurement, validation, shard, use, ending } = run;
  const { closes = 0, facts = [], notes = [] } = run;
  const { lag, operations } = measurement;
  const { capped } = sentAndCapped(operations.values());
  const environment = generatorEnvironment();
  const judgement = judge(run, environment);
  const measured: Measured = {
    operations,
    steps: measurement.steps,
    measuredMs: run.measuredMs,
    rateLimitedIsError: profile.rateLimitedIsError,
    isThroughputOnly: profile.load.isThroughputOnly,
    checked: validation.checked,
    warmUp: measurement.warmUp,
    broken: (name) => (name === undefined ? validation.broken : (validation.brokenBy.get(name) ?? 0)),
    findings: validation.findings,
    generator: judgement,
    lag,
    isHeldBack: capped > 0 || (run.isHeldBack ?? false),
  };
  const headline = () => run.headline ?? profile.load.headline(measured);
  const asked = { thresholds: profile.thresholds, headline };
  const { mustServe } = run;
  const expects429 = profile.load.effects.includes('rateLimit');
  const evidence = { measured, ending, causes: judgement.causes, facts, mustServe, expects429, shard };
  const { violations, brokenBy, warmUp, ...tally } = validation;
  return {
    format: loadRecordFormat,
    suite: identity().suite,
    target: { name: target.name, baseUrl: target.baseUrl, embedded: run.isEmbedded },
    profile: profileRecord(profile),
    seed: run.seed,
    shards: { of: shard.of, indexes: [shard.index] },
    startedAt: new Date(run.startedAt).toISOString(),
    measuredMs: run.measuredMs,
    ...offeredRate(profile, shard),
    ...conclude(asked, evidence),
    warmUp: measurement.warmUp,
    unfinished: run.unfinished ?? 0,
    operations: operationRecords(operations, brokenBy, run.distributionOf),
    steps: stepRecords(measurement.steps, brokenBy, run.distributionOf, run.slowRecord),
    phases: phaseRecord(measurement.phases, run.distributionOf),
    slowest: measurement.slowest.all().map(run.slowRecord),
    validation: { share: profile.validate, ...tally, warmUp: { checked: warmUp.checked, broken: warmUp.broken } },
    violations: violations.map(run.violationRecord),
    generator: {
      verdict: judgement.verdict,
      reasons: [...judgement.reasons],
      ...(lag.totalCount === 0 ? {} : { lag: run.distributionOf(lag) }),
      ...use,
      sockets: run.sockets,
      closes,
      latencyValid: judgement.isLatencyValid,
      environments: [environment],
    },
    sliceMs: measurement.sliceMs,
    slices: sliceRecords(measurement.slices),
    facts: [...facts, ...(run.server === undefined ? [] : serverFacts(run.server, profile.server?.series))],
    ...(run.server === undefined ? {} : { server: run.server }),
    usedUp: changesRecord(run.changes),
    notes: [...(expects429 ? [] : rateLimitedNotes(operations)), ...notes, ...judgement.notes, ...warmUpNotes(warmUp)],
  };
}

function judge(
  { profile: { load }, measurement, use, sockets, closes = 0, heldBackBecause }: RunFacts,
  { cores }: GeneratorEnvironment,
): GeneratorJudgement {
  const { lag, operations } = measurement;
  // Held requests have no schedule that they could leave late for, and are slow on purpose.
  const scheduled = new Map([...operations].filter(([operation]) => operation !== load.sendsBeside));
  return judgeGenerator({
    isThroughputOnly: load.isThroughputOnly,
    pacing: load.schedule?.pacing ?? 'timer',
    lag,
    latency: timesOf(scheduled, 'latency'),
    use,
    cores,
    sockets,
    ...sentAndCapped(scheduled.values()),
    closes,
    heldBackBecause,
  });
}

/** The mean rate of the schedule, or of the part that belongs to this shard; nothing where the answers set the pace. */
function offeredRate({ load: { schedule } }: Profile, shard: Shard): Pick<LoadRecord, 'offeredPerSecond'> {
  if (schedule === undefined) return {};
  const { durationMs, total } = rateCurve(schedule.ratePerSecond, schedule.stages);
  return { offeredPerSecond: total / (durationMs / 1000) / shard.of };
}

export function profileRecord(profile: Profile): LoadRecord['profile'] {
  const { name, question, load, rateLimitedIsError, thresholds } = profile;
  return {
    name,
    question,
    kind: load.kind,
    digest: profileDigest(profile),
    plannedMs: load.plannedMs ?? 0,
    rateLimitedIsError,
    thresholds: thresholds.map(({ text }) => text),
  };
}

/**
 * Ten minutes have half a million pairs of a latency and its count, but only a few thousand different ones. Each is created
 * once; otherwise the record would take more memory than the run.
 */
export function sliceRecords(slices: readonly Slice[]): LoadRecord['slices'] {
  const pairs = new Map<number, [number, number]>();
  const pairOf = (us: number, count: number): [number, number] => {
    if (count >= mostShared) return [us, count];
    const key = us * mostShared + count;
    const pair = pairs.get(key) ?? [us, count];
    pairs.set(key, pair);
    return pair;
  };
  return slices.map(({ scheduled, waiting, arrived, classes, lagMaxUs, latency }) => ({
    due: scheduled,
    ...(waiting > 0 && { waiting }),
    arrived,
    classes: Object.fromEntries(classes),
    lagMaxUs,
    latency: Object.fromEntries(
      [...latency].map(([operation, counts]) => [
        operation,
        Array.from(counts.entries(), ([us, count]) => pairOf(us, count)),
      ]),
    ),
  }));
}

/** What was found in the warm-up decides nothing, but is not concealed. */
function warmUpNotes({ checked, broken, violations }: TalliedAnswers): readonly string[] {
  if (broken === 0) return [];
  const rules = [...new Set(violations.map(({ finding }) => finding.rule))].join(', ');
  return [`In the warm-up, which does not count, ${count(broken)} of ${some(checked, 'answer')} violate ${rules}.`];
}

/** Larger counts are rare; their key would collide with that of the next latency. */
const mostShared = 1024;
