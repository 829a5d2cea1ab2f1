import { faults } from '../reference/faults/faults.ts';
import type { Escape } from './crossed.ts';
import { doJobs } from './do-jobs.ts';
import type { Job, JobResult } from './jobs.ts';
import { gaps, type KillRow } from './kill.ts';
import type { FalseAlarm } from './sweep.ts';
import { type LimitedTrial, limited } from './time-limit.ts';
import type { TimedTrial } from './trial.ts';

export type ProofOptions = {
  readonly seed: number;
  /** Legal deployments to draw. */
  readonly cases: number;
  /** Oddly legal deployments around each fault. */
  readonly crossings: number;
  /** Whether a fault is tried on all checks, rather than on those of the requirement that it breaks. All are if this is missing. */
  readonly isWhole?: (fault: string) => boolean;
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
  const { seed, cases, crossings, isWhole = () => true, workers, progress, found } = options;
  const startedAt = performance.now();
  const batches = Math.ceil(cases / sweepBatch);
  const jobs: readonly Job[] = [
    ...Array.from({ length: batches }, (_, index): Job => {
      const left = cases - index * sweepBatch;
      return { kind: 'sweep', seed: sweepSeed(seed, index), cases: Math.min(sweepBatch, left) };
    }),
    ...faults.map(({ name }): Job => ({
      kind: 'kill',
      fault: name,
      seed,
      against: isWhole(name) ? 'all checks' : 'its own checks',
    })),
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
  const matrix = results.flatMap((result) => (result.kind === 'kill' ? [result.row] : []));
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

function timesOf(results: readonly JobResult[], seed: number): readonly TimedTrial[] {
  return results.flatMap((one): readonly TimedTrial[] => {
    if (one.kind === 'crossed' || one.kind === 'sweep') return one.result.times;
    if (one.kind !== 'kill') return [];
    return [{ trial: { seed, faults: [one.row.fault], choices: {} }, seconds: one.row.seconds }];
  });
}
