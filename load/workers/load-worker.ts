import { parentPort, workerData } from 'node:worker_threads';
import { createRateCap } from '../engine/rate-cap.ts';
import { openKind } from '../kinds/open.ts';
import { createChanges } from '../measure/changed-slices.ts';
import type { ProgressReport } from '../measure/report-progress.ts';
import type { FromWorker, ToWorker, WorkerJob } from './worker-messages.ts';

/** Sends a part of a load beside the other threads. */
const job: WorkerJob = workerData;
const interruption = new AbortController();
const changesOf = createChanges();
let isWatched = false;

function tell(message: FromWorker): void {
  parentPort?.postMessage(message);
}

function report(progress: ProgressReport): void {
  const { elapsedMs, broken } = progress;
  tell({
    kind: 'progress',
    progress: { elapsedMs, broken, ...changesOf(progress, isWatched || job.needsTimes ? 'histograms' : 'counts') },
  });
}

async function start(startAt: number): Promise<void> {
  const { profile, schedule, target, proxies, maxPerSecond, ...rest } = job;
  const load = openKind.of(schedule);
  const record = await load.run(
    { ...profile, load, abort: [] },
    {
      ...rest,
      target: { ...target, proxyFor: (baseUrl) => proxies.get(baseUrl) },
      rateCap: createRateCap(maxPerSecond),
      startAt,
      signal: interruption.signal,
      onProgress: report,
      isWatched: () => isWatched,
    },
  );
  tell({ kind: 'over', record });
}

parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'end') interruption.abort();
  else if (message.kind === 'watch') ({ isWatched } = message);
  else void start(message.startAt);
});
tell({ kind: 'ready' });
