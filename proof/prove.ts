import { faults } from '../reference/faults/faults.ts';
import { groupsOf } from './confirm.ts';
import type { Escape } from './crossed.ts';
import { doJobs } from './do-jobs.ts';
import type { Job, JobResult } from './jobs.ts';
import { gaps, type KillRow } from './kill.ts';
import type { KnownRow } from './matrix-text.ts';
import type { FalseAlarm } from './sweep.ts';
import { type LimitedTrial, limited } from './time-limit.ts';
import { timeTrial, type TimedTrial } from './trial.ts';

export type ProofOptions = {
  readonly seed: number;
  /** Legal deployments to draw. */
  readonly cases: number;
  /** Oddly legal deployments around each fault. */
  readonly crossings: number;
  /** Rows to confirm, several at a time. A fault without a row is tried alone. */
  readonly known?: readonly KnownRow[];
  readonly workers: number;
  /** Called after each piece of work, with how much of it is done. */
  readonly progress: (done: number, all: number) => void;
  /** Called with each false alarm before it is shrunk. */
  readonly found: (alarm: FalseAlarm) => void;
};

/** What the proof found. It holds when `gaps`, `alarms` and `escapes` are empty, and no run took longer than its limit. */
export type Proof = {
  readonly seed: number;
  readonly matrix: readonly KillRow[];
  /** Survivors, checks that catch nothing, and musts with fewer than two killed faults. */
  readonly gaps: readonly string[];
  readonly deployments: number;
  readonly alarms: readonly FalseAlarm[];
  readonly crossings: number;
  readonly escapes: readonly Escape[];
  /** Every run of the suite, with its virtual time and its limit. */
  readonly runs: readonly LimitedTrial[];
  readonly seconds: number;
};

/** Legal deployments of one piece of work: small enough to share the work out evenly. */
export const sweepBatch = 25;

/** The seed of a batch of the legal sweep. */
export function sweepSeed(seed: number, index: number): number {
  return seed * 10_007 + index;
}

/** Proves the suite: every fault is killed, also in oddly legal deployments, and no legal deployment is accused. */
export async function prove(options: ProofOptions): Promise<Proof> {
  const { seed, cases, crossings, known = [], workers, progress, found } = options;
  const startedAt = performance.now();
  const batches = Math.ceil(cases / sweepBatch);
  const jobs: readonly Job[] = [
    ...Array.from({ length: batches }, (_, index): Job => {
      const left = cases - index * sweepBatch;
      return { kind: 'sweep', seed: sweepSeed(seed, index), cases: Math.min(sweepBatch, left) };
    }),
    ...(await killJobs(seed, known)),
    ...(crossings === 0
      ? []
      : faults.map(({ name }): Job => ({ kind: 'crossed', fault: name, seed, cases: crossings }))),
  ];
  let count = 0;
  const done = () => {
    count += 1;
    progress(count, jobs.length);
  };
  const results = await doJobs(jobs, workers, { done, found });
  const runs = await limited(timesOf(results, seed), (more) => doJobs(more, workers));
  const matrix = results.flatMap(rowsOf);
  const sweeps = results.flatMap((result) => (result.kind === 'sweep' ? [result.result] : []));
  return {
    seed,
    matrix,
    gaps: gaps(matrix),
    deployments: sweeps.reduce((sum, { deployments }) => sum + deployments, 0),
    alarms: sweeps.flatMap(({ alarm }) => alarm ?? []),
    crossings: crossings * faults.length,
    escapes: results.flatMap((result) => (result.kind === 'crossed' ? (result.result.escape ?? []) : [])),
    runs,
    seconds: (performance.now() - startedAt) / 1000,
  };
}

/** Several faults may take twice as long as a conformant run; each alone may take 30 s more. */
async function killJobs(seed: number, known: readonly KnownRow[]): Promise<readonly Job[]> {
  const broken = new Map<string, string>(faults.map(({ name, breaks }) => [name, breaks]));
  const once = [...new Map(known.map((row) => [row.fault, row])).values()];
  const groups = groupsOf(once.filter(({ fault, breaks }) => broken.get(fault) === breaks));
  const confirmed = new Set(groups.flat().map(({ fault }) => fault));
  const enoughSeconds = groups.length === 0 ? 0 : 2 * (await timeTrial({ seed, faults: [], choices: {} })).seconds;
  return [
    ...groups.map((rows): Job => ({ kind: 'confirm', rows, seed, enoughSeconds })),
    ...faults
      .filter(({ name }) => !confirmed.has(name))
      .map(({ name }): Job => ({ kind: 'kill', fault: name, seed, against: 'all checks' })),
  ];
}

function rowsOf(result: JobResult): readonly KillRow[] {
  if (result.kind === 'confirm') return result.rows;
  return result.kind === 'kill' ? [result.row] : [];
}

function timesOf(results: readonly JobResult[], seed: number): readonly TimedTrial[] {
  return results.flatMap((one): readonly TimedTrial[] => {
    if (one.kind === 'crossed' || one.kind === 'sweep') return one.result.times;
    return rowsOf(one).map(({ fault, seconds }) => ({ trial: { seed, faults: [fault], choices: {} }, seconds }));
  });
}
