import { sum } from '../../core/numbers.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { listed } from '../../reports/text/some-of.ts';
import type { Operation } from '../../spec/requirement.ts';
import { compare } from './compare.ts';
import { type Comparison, overall } from './comparison.ts';
import type { Figure, PerFigure } from './render/figure.ts';
import { fixedDraws } from './statistics/fixed-draws.ts';
import type { Spread } from './statistics/spread.ts';
import type { Trials } from './trial.ts';
import { trialOfRecord } from './trial-of-record.ts';
import { isError } from '../measure/outcome.ts';
import { incompleteBeta } from './statistics/incomplete-beta.ts';

/** Build B against build A, by two sets of runs. */
export type BuildComparison = {
  /** Latencies and throughput; undefined if no run can be used. */
  readonly comparison: Comparison | undefined;
  /** What else is worse about B, a sentence each. */
  readonly worse: readonly string[];
  /** Runs that were excluded. */
  readonly notes: readonly string[];
  /** Operations that no build served in any run. */
  readonly unserved: readonly Operation[];
  readonly verdict: 'worse' | 'cannot-tell' | 'no-worse';
};

export type CompareRecordsOptions = {
  /** How much worse is still acceptable, as a share above 0. */
  readonly margin: number;
  /** The figures that must be shown to be no worse. A figure that is worse counts even if it is not among them. */
  readonly required: readonly Figure[];
  /** How runs vary, from a history. */
  readonly runToRun?: PerFigure<Spread> | undefined;
};

/**
 * Judges build B against build A by their runs, which must be comparable. A build that violates requirements which the
 * other one meets, or that fails more often, is worse however fast it is.
 */
export function compareRecords(
  a: readonly LoadRecord[],
  b: readonly LoadRecord[],
  { margin, required, runToRun }: CompareRecordsOptions,
): BuildComparison {
  const { trials, notes } = fitTrials(a, b);
  const comparison =
    trials === undefined
      ? undefined
      : compare(trials, { margin, random: fixedDraws(), ...(runToRun === undefined ? {} : { runToRun }) });
  const worse = worseBesideSpeed(a, b);
  const ofFigures = comparison === undefined ? 'cannot-tell' : overall(comparison, required);
  const unserved = unservedIn([...a, ...b]);
  const ofAll = ofFigures === 'no-worse' && unserved.length > 0 ? 'cannot-tell' : ofFigures;
  return { comparison, worse, notes, unserved, verdict: worse.length > 0 ? 'worse' : ofAll };
}

/** The operations of which no request succeeded in any run. */
function unservedIn([first, ...others]: readonly LoadRecord[]): readonly Operation[] {
  return (first?.unserved ?? []).filter((operation) => others.every(({ unserved }) => unserved.includes(operation)));
}

function worseBesideSpeed(a: readonly LoadRecord[], b: readonly LoadRecord[]): readonly string[] {
  const worse: string[] = [];
  const broken = (records: readonly LoadRecord[]) => sum(records.map(({ validation }) => validation.broken));
  const checked = (records: readonly LoadRecord[]) => sum(records.map(({ validation }) => validation.checked));
  if (broken(b) > 0 && broken(a) === 0 && checked(a) > 0) {
    worse.push(`B violated requirements in ${broken(b)} of ${checked(b)} answers checked, A in none of ${checked(a)}.`);
  }
  const servedByA = unservedIn(b).filter((operation) => !unservedIn(a).includes(operation));
  if (servedByA.length > 0) worse.push(`No request of ${listed(servedByA)} succeeded on B, but some did on A.`);
  const [failedA, failedB] = [failedSlices(a), failedSlices(b)];
  if (failsMoreOften(failedA, failedB)) {
    worse.push(
      `B fails more often: requests failed in ${failedB.failed} of ${failedB.of} time intervals, requests of A in ${failedA.failed} of ${failedA.of}.`,
    );
  }
  const aborted = (records: readonly LoadRecord[]) => records.filter(({ result }) => result === 'aborted').length;
  if (aborted(b) > 0 && aborted(a) === 0) {
    worse.push(
      `${aborted(b)} of ${b.length} runs of B were ended early by the profile's abort conditions, no run of A.`,
    );
  }
  return worse;
}

/** The runs whose figures are the target's own. Of an interleaved round, either both runs are used or neither. */
function fitTrials(
  a: readonly LoadRecord[],
  b: readonly LoadRecord[],
): { readonly trials: Trials | undefined; readonly notes: readonly string[] } {
  const rounds = roundsOfRecords(a, b);
  if (rounds !== undefined) {
    const fit = rounds.filter((round) => isFit(round.a) && isFit(round.b));
    return {
      trials:
        fit.length === 0
          ? undefined
          : {
              kind: 'interleaved',
              rounds: fit.map((round) => ({ a: trialOfRecord(round.a), b: trialOfRecord(round.b) })),
            },
      notes: leftOut(rounds.length - fit.length, rounds.length, 'rounds'),
    };
  }
  const fit = { a: a.filter(isFit), b: b.filter(isFit) };
  const isEmpty = fit.a.length === 0 || fit.b.length === 0;
  return {
    trials: isEmpty
      ? undefined
      : {
          kind: 'separate',
          a: fit.a.map((record) => trialOfRecord(record)),
          b: fit.b.map((record) => trialOfRecord(record)),
        },
    notes: [
      ...leftOut(a.length - fit.a.length, a.length, 'runs of A'),
      ...leftOut(b.length - fit.b.length, b.length, 'runs of B'),
    ],
  };
}

type RecordRound = { readonly a: LoadRecord; readonly b: LoadRecord };

/**
 * The rounds of interleaved runs, whichever build went first in each; undefined if their start times show that the runs
 * were not interleaved. One run of each build is no round: it may as well have been measured apart.
 */
export function roundsOfRecords(
  a: readonly LoadRecord[],
  b: readonly LoadRecord[],
): readonly RecordRound[] | undefined {
  if (a.length !== b.length || a.length < 2) return undefined;
  const entries = [
    ...a.map((record) => ({ build: 'a' as const, record })),
    ...b.map((record) => ({ build: 'b' as const, record })),
  ].toSorted((one, other) => Date.parse(one.record.startedAt) - Date.parse(other.record.startedAt));
  const rounds: RecordRound[] = [];
  for (let at = 0; at < entries.length; at += 2) {
    const pair = entries.slice(at, at + 2);
    const first = pair.find(({ build }) => build === 'a');
    const second = pair.find(({ build }) => build === 'b');
    if (first === undefined || second === undefined) return undefined;
    rounds.push({ a: first.record, b: second.record });
  }
  return rounds;
}

/** A run without answers cannot be compared. */
function isFit({ generator, result, slices }: LoadRecord): boolean {
  const hasAnswers = slices.some(({ latency }) => Object.values(latency).some((buckets) => (buckets ?? []).length > 0));
  return generator.verdict === 'fit' && result !== 'aborted' && hasAnswers;
}

function leftOut(count: number, of: number, what: string): readonly string[] {
  if (count === 0) return [];
  return [
    `${count} of ${of} ${what} excluded: the generator was the bottleneck or held back by the limit of the target file, the run ended early, or there was no answer. Use a quieter machine for the generator, or a higher limit.`,
  ];
}

/** The probability of a false alarm: a build is said to fail more often although it does not. */
const failureError = 0.001;

/** The number of slices in which at least one request failed. */
type FailedSlices = { readonly failed: number; readonly of: number };

/** Counts slices, not requests: a short outage fails many requests at once. */
function failedSlices(records: readonly Pick<LoadRecord, 'slices' | 'profile'>[]): FailedSlices {
  let failed = 0;
  let of = 0;
  for (const { slices, profile } of records) {
    for (const { classes } of slices) {
      of += 1;
      const { rateLimited = 0, refused = 0, failed: broken = 0, timeout = 0, transport = 0 } = classes;
      const limited = isError('rateLimited', profile.rateLimitedIsError) ? rateLimited : 0;
      if (refused + broken + timeout + transport + limited > 0) failed += 1;
    }
  }
  return { failed, of };
}

/**
 * Whether B fails more often than A. If both failed equally often, the probability that a failed slice is of B would be the share
 * of B in all slices. The upper tail of a binomial distribution is then the probability of this many failed slices of B, or more.
 */
export function failsMoreOften(a: FailedSlices, b: FailedSlices): boolean {
  if (b.failed === 0) return false;
  const share = b.of / (a.of + b.of);
  return incompleteBeta(share, b.failed, a.failed + 1) < failureError;
}
