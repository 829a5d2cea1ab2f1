import { parentPort, workerData } from 'node:worker_threads';
import { createRateCap } from '../engine/rate-cap.ts';
import { openKind } from '../kinds/open.ts';
import { createChanges } from '../measure/changed-slices.ts';
import type { ProgressReport } from '../measure/report-progress.ts';
import type { FromWorker, ToWorker, WorkerJob } from './worker-messages.ts';

/** Sends a part of a load beside the other threads. */
const job: WorkerJob = workerData;
const interruption = new AbortController();
const changesIn = createChanges();

function tell(message: FromWorker): void {
  parentPort?.postMessage(message);
}

function report({ elapsedMs, broken, measurement, recordOf }: ProgressReport): void {
  const changes = changesIn(measurement);
  const record = recordOf(
    changes.map(({ slice }) => slice),
    { merges: true },
  );
  const changed = changes.flatMap(({ index }, place) => {
    const slice = record.slices[place];
    return slice === undefined ? [] : [[index, slice] as const];
  });
  tell({ kind: 'progress', progress: { elapsedMs, broken, record: { ...record, slices: [] }, changed } });
}

async function start(startAt: number): Promise<void> {
  const { profile, schedule, target, proxies, maxPerSecond, ...rest } = job;
  const load = openKind.of(schedule);
  const record = await load.run(
    { ...profile, load },
    {
      ...rest,
      target: { ...target, proxyFor: (baseUrl) => proxies.get(baseUrl) },
      rateCap: createRateCap(maxPerSecond),
      startAt,
      signal: interruption.signal,
      onProgress: report,
    },
  );
  tell({ kind: 'over', record });
}

parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'end') interruption.abort();
  else void start(message.startAt);
});
tell({ kind: 'ready' });
