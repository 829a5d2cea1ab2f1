import { parseThreshold, type Threshold } from '../profile/threshold.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { operationRecords, phaseRecord } from './operation-records.ts';
import { conclude, type Ending } from './conclude.ts';
import { latencyHeadline } from './headline.ts';
import { type Measured, timesOf } from './measured.ts';
import { isNotableClock, skewText } from '../gather/skew-text.ts';
import { capReasons, causesOf, isLoopBusy, lagReasons } from './judge-generator.ts';
import { sentAndCapped } from '../measure/measurement.ts';
import { slowestOf } from '../measure/slowest.ts';
import { brokenByOperation, mergeOperations, mergePhases, mergeTallies, mergeViolations } from './merge-answers.ts';
import { mergeGenerators, mergeLags } from './merge-generators.ts';
import { mergeChanges } from './merge-changes.ts';
import { mergeSlices } from './merge-slices.ts';
import { rateLimitedNotes } from './rate-limited.ts';
import { indexesOf, missingParts, partsText, whyNotMerged } from './why-not-merged.ts';

export type Merged =
  | { readonly kind: 'merged'; readonly record: LoadRecord }
  | {
      /** A sentence for the user: these are not the parts of one run. */
      readonly kind: 'refused';
      readonly reason: string;
      /** The parts that are missing, if that is the reason. */
      readonly missing: readonly number[];
    };

/** More than the clocks of machines usually differ. */
const mostApartMs = 1000;

/**
 * One record of all the shards of a run. Counts and time series add up, histograms merge exactly, and the thresholds are
 * judged again on the whole. `ending` is how the whole ended, if that is not how its parts ended.
 */
export function mergeRecords(records: readonly LoadRecord[], ending = endingOf(records)): Merged {
  const [first] = records;
  if (first === undefined) return refused('there is nothing to merge.');
  const reason = whyNotMerged(records);
  if (reason !== undefined) return refused(reason);
  const missing = missingParts(records, first.shards.of);
  if (missing.length > 0) return refused(`${partsText(missing, first.shards.of)}: no record.`, missing);
  const generators = records.map(({ generator }) => generator);
  const operations = mergeOperations(records);
  const brokenBy = brokenByOperation(records);
  const validation = mergeTallies(records.map((record) => record.validation));
  const ofShards = records.flatMap(speedReasons);
  const lag = mergeLags(generators);
  // The whole may have enough answers for a percentile although no part has.
  const ofWhole = ofShards.length > 0 ? [] : lagReasons(lag, timesOf(operations, 'latency'));
  const whole = sentAndCapped(operations.values());
  const ofCap = capReasons(whole);
  const notTogether = apart(records);
  const ofSpeed = [...ofShards, ...ofWhole];
  const causes = causesOf({ bottleneck: ofSpeed, 'held-back': ofCap, apart: notTogether });
  const reasons = [...ofSpeed, ...ofCap, ...notTogether];
  const verdict = causes[0] ?? 'fit';
  const measured: Measured = {
    operations,
    steps: new Map(), // only a schedule of requests is divided
    measuredMs: Math.max(...records.map(({ measuredMs }) => measuredMs)),
    rateLimitedIsError: first.profile.rateLimitedIsError,
    isThroughputOnly: false, // only a schedule of requests is divided
    checked: validation.checked,
    warmUp: records.reduce((sum, { warmUp }) => sum + warmUp, 0),
    broken: (name) => (name === undefined ? validation.broken : (brokenBy.get(name) ?? 0)),
    findings: validation.findings,
    generator: {
      verdict,
      isShortOfSockets: generators.some(({ sockets }, index) => sockets.waited > 0.01 * sentBy(records[index])),
      isLatencyValid: generators.every(({ latencyValid }) => latencyValid),
      isWholeLoad: ofCap.length + notTogether.length === 0,
      loopDelayMs: Math.max(...generators.map((one) => (isLoopBusy(one) ? one.eventLoopDelayP99Ms : 0))),
    },
    lag,
    isHeldBack: whole.capped > 0,
  };
  const facts = records.flatMap((record) => record.facts);
  const server = records.map((record) => record.server).find((one) => one !== undefined);
  // Only open loads are divided. Their facts are those of the server, which decide nothing.
  const evidence = { measured, ending, causes, facts: [] };
  const offered = records.map(({ offeredPerSecond }) => offeredPerSecond ?? 0).reduce((sum, rate) => sum + rate, 0);
  return {
    kind: 'merged',
    record: {
      ...first,
      ...conclude({ thresholds: thresholdsOf(first), headline: latencyHeadline }, evidence),
      shards: { of: first.shards.of, indexes: indexesOf(records) },
      startedAt: new Date(Math.min(...records.map(startOf))).toISOString(),
      measuredMs: measured.measuredMs,
      offeredPerSecond: offered,
      warmUp: measured.warmUp,
      unfinished: records.reduce((sum, { unfinished }) => sum + unfinished, 0),
      operations: operationRecords(operations, brokenBy),
      phases: phaseRecord(mergePhases(records)),
      slowest: slowestOf(records.flatMap(({ slowest }) => slowest)),
      validation: { ...validation, share: first.validation.share },
      violations: mergeViolations(records),
      generator: mergeGenerators(generators, lag, { verdict, reasons }),
      slices: mergeSlices(records.map(({ slices }) => slices)),
      facts,
      ...(server === undefined ? {} : { server }),
      usedUp: mergeChanges(records.map(({ usedUp }) => usedUp)),
      notes: [...new Set([...rateLimitedNotes(operations), ...skewNotes(records), ...records.flatMap(ownNotes)])],
    },
  };
}

function refused(reason: string, missing: readonly number[] = []): Merged {
  return { kind: 'refused', reason, missing };
}

/** Why a part was too slow. What the limit of the target file dropped is judged of the whole. */
function speedReasons({ generator, operations, shards }: LoadRecord): readonly string[] {
  const ofCap = capReasons(sentAndCapped(operations));
  const ofSpeed = generator.reasons.filter((text) => !ofCap.includes(text));
  return ofSpeed.map((text) => `part ${shards.indexes.join(', ')}: ${text}`);
}

/** Shards that did not run at the same time did not produce the load of the profile. */
function apart(records: readonly LoadRecord[]): readonly string[] {
  const starts = records.map(startOf);
  const apartMs = Math.max(...starts) - Math.min(...starts);
  return apartMs <= mostApartMs
    ? []
    : [
        `the parts started ${(apartMs / 1000).toFixed(1)} s apart: use awc load gather, or give all of them a later --start-at`,
      ];
}

/** The start of a part by the clock that all parts share, in milliseconds since the epoch. */
function startOf({ startedAt, shards }: LoadRecord): number {
  return Date.parse(startedAt) + (shards.clock?.offsetMs ?? 0);
}

/** The notes of a part, without those that are judged of the whole. */
function ownNotes(record: LoadRecord): readonly string[] {
  const ofLimit = rateLimitedNotes(mergeOperations([record]));
  return record.notes.filter((note) => !ofLimit.includes(note));
}

/** The clocks that are so wrong that a reader of the parts should know. */
function skewNotes(records: readonly LoadRecord[]): readonly string[] {
  return records.flatMap(({ shards: { clock, indexes } }) =>
    clock !== undefined && isNotableClock(clock) ? [`part ${indexes.join(', ')}: ${skewText(clock)}`] : [],
  );
}

function thresholdsOf({ profile }: LoadRecord): readonly Threshold[] {
  return profile.thresholds.flatMap((text) => {
    const parsed = parseThreshold(text);
    return 'problem' in parsed ? [] : [parsed];
  });
}

/** A part that ends itself may have ended the others. */
function endingOf(records: readonly LoadRecord[]): Ending {
  const aborted = records.find(({ result }) => result === 'aborted');
  if (aborted !== undefined) return { kind: 'aborted', by: `${aborted.endedBy ?? 'it ended itself'} in one part` };
  return records.some(({ result }) => result === 'interrupted') ? { kind: 'interrupted' } : { kind: 'completed' };
}

function sentBy(record: LoadRecord | undefined): number {
  return record?.operations.reduce((sum, { sent }) => sum + sent, 0) ?? 0;
}
