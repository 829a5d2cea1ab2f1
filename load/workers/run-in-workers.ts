import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { baseUrlsOf } from '../../core/network/address.ts';
import { ownModule } from '../../core/own-module.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { leastWindowMs } from '../engine/rate-cap.ts';
import { watchConditions } from '../judge/abort-condition.ts';
import type { Ending } from '../judge/conclude.ts';
import type { Measurement } from '../measure/measurement.ts';
import type { LoadOptions, Profile } from '../profile/profile.ts';
import type { Threshold } from '../profile/threshold.ts';
import { mergeProgress, mergeWorkers } from './merge-progress.ts';
import type { FromWorker, PartProgress, ToWorker, WorkerJob } from './worker-messages.ts';

export type InWorkers = {
  /** At least 2. */
  readonly workers: number;
  /** The limit of all workers together. */
  readonly maxPerSecond: number;
};

/** The time from the order to start until the warm-up begins: each thread prepares its connections and its judge. */
const headStartMs = 1000;

/**
 * The space for new objects of a thread, in MB. A thread begins with 1 MB, and a command may forbid that to grow: then
 * half of the time of a thread that sends is garbage collection.
 */
const newSpaceMb = 16;

const workerUrl = ownModule('load/workers/load-worker');

/**
 * Runs an open load in several threads, each of which sends its shard of the schedule, and merges their records. If one of
 * them ends early, all do. Rejects if one of them fails. The limit is divided equally, so it holds for the whole.
 */
export async function runInWorkers(
  profile: Profile,
  options: Omit<LoadOptions, 'rateCap' | 'shard'>,
  { workers: of, maxPerSecond }: InWorkers,
): Promise<LoadRecord> {
  const { signal, startAt } = options;
  setFlagsFromString(`--min-semi-space-size=${newSpaceMb}`);
  const parts = Array.from({ length: of }, (_, place) => {
    const job = jobOf(profile, options, { index: place + 1, of }, maxPerSecond / of);
    return new Worker(workerUrl, { workerData: job });
  });
  const tellAll = (message: ToWorker) => parts.forEach((part) => part.postMessage(message));
  const end = () => tellAll({ kind: 'end' });
  const merge = mergeProgress(profile, of);
  const watch = watchAll(profile, end);
  let isWatched = false;
  const tellWhetherWatched = () => {
    if (options.isWatched() === isWatched) return;
    isWatched = !isWatched;
    tellAll({ kind: 'watch', isWatched });
  };
  try {
    await Promise.all(parts.map((part, place) => guarded(part, place, once(part, 'message'))));
    setFlagsFromString('--min-semi-space-size=0'); // the threads that validate need little
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
    const over = parts.map((part, place) => {
      const ended = recordOf(part, (progress) => {
        tellWhetherWatched();
        const merged = merge(place, progress);
        if (merged === undefined) return;
        options.onProgress(merged);
        if (!signal.aborted) watch.look(merged.measurement);
      });
      return guarded(part, place, ended);
    });
    tellWhetherWatched();
    tellAll({ kind: 'start', startAt: startAt ?? Date.now() + headStartMs + profile.warmUpMs });
    for (const record of over) void record.then(({ result }) => result === 'aborted' && end(), end);
    const records = await Promise.all(over);
    const merged = mergeWorkers(profile, records, signal.aborted ? undefined : watch.ending());
    // The next run on the target begins with new limits.
    if (Number.isFinite(maxPerSecond)) await sleep(Math.max(leastWindowMs, (1000 * of) / maxPerSecond));
    // Each of them measured the whole process.
    const processCores = Math.max(...records.map(({ generator }) => generator.processCores));
    return { ...merged, generator: { ...merged.generator, processCores } };
  } finally {
    signal.removeEventListener('abort', end);
    await Promise.all(parts.map((part) => part.terminate()));
  }
}

/** Ends the run when a condition of the profile is true of all workers together. */
function watchAll({ abort, rateLimitedIsError }: Profile, end: () => void) {
  let next: ReturnType<typeof watchConditions> | undefined;
  let met: Threshold | undefined;
  return {
    look(measurement: Measurement) {
      if (met !== undefined) return;
      next ??= watchConditions(abort, { ...measurement, rateLimitedIsError });
      met = next();
      if (met !== undefined) end();
    },
    ending: (): Ending | undefined => (met === undefined ? undefined : { kind: 'aborted', by: met.text }),
  };
}

function jobOf(
  profile: Profile,
  { target, isEmbedded, seed }: Pick<LoadOptions, 'target' | 'isEmbedded' | 'seed'>,
  shard: WorkerJob['shard'],
  maxPerSecond: number,
): WorkerJob {
  const { schedule } = profile.load;
  if (schedule === undefined) throw new Error('a load that cannot be divided');
  const { load: _load, abort, ...shared } = profile;
  const { proxyFor, renewal: _renewal, ...plain } = target;
  const proxies = new Map(baseUrlsOf(target).map((url) => [url, proxyFor?.(url)]));
  return {
    profile: shared,
    schedule,
    needsTimes: abort.some(({ measure }) => measure.kind === 'latency' || measure.kind === 'service'),
    target: plain,
    proxies,
    isEmbedded,
    seed,
    shard,
    maxPerSecond,
  };
}

/** Rejects if the thread fails or ends before that, with its number. */
async function guarded<Result>(part: Worker, place: number, until: Promise<Result>): Promise<Result> {
  const name = `worker ${place + 1}`;
  const { promise, reject } = Promise.withResolvers<never>();
  const failed = (error: Error) => reject(new Error(`${name} failed: ${error.message}`, { cause: error }));
  const exited = () => reject(new Error(`${name} ended without a record`));
  part.on('error', failed).on('exit', exited);
  try {
    return await Promise.race([until, promise]);
  } finally {
    part.off('error', failed).off('exit', exited);
  }
}

function recordOf(part: Worker, onProgress: (progress: PartProgress) => void): Promise<LoadRecord> {
  return new Promise((resolve) => {
    part.on('message', (message: FromWorker) => {
      if (message.kind === 'over') resolve(message.record);
      else if (message.kind === 'progress') onProgress(message.progress);
    });
  });
}
