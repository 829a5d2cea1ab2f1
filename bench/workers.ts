import { availableParallelism } from 'node:os';
import { median } from '../load/compare/statistics/median.ts';
import type { LoadRecord } from '../reports/load/load-record.ts';
import { type Figure, figure } from './setup/figure.ts';
import { startRawServer } from './setup/start-raw-server.ts';
import { targetText } from './setup/bench-target.ts';
import { watchLoad } from './setup/watch-load.ts';

const rounds = 2;
const mostRatio = 1.15;
const cores = availableParallelism();
/**
 * With few cores, threads and server share them: then the rate leaves each enough, and only the cost per request counts. At a
 * much lower rate, a thread wakes up for nearly each request, and the cost would be that of waking up.
 */
const perWorker = cores >= 4 ? 20_000 : 15_000;
const counts = [1, 2, 4, 8].filter((count) => count <= Math.max(2, cores / 2));

const profileOf = (workers: number) => `question: What does a request cost with ${workers} threads?
load: { open: { rate: ${perWorker * workers} } }
duration: 8s
operations: { listModels: { weight: 1, limits: [2] } }
`;

/**
 * `awc load --workers` beside as many single commands at once: each thread and each command sends at the same rate, so a
 * load that scales costs the same CPU time for each request. A command alone shows what the machine loses when all its cores are busy.
 */
export async function workers(): Promise<readonly Figure[]> {
  const server = await startRawServer('same');
  const target = targetText(server.url);
  const run = async (count: number) =>
    (await watchLoad(profileOf(count), { target, args: ['--workers', String(count)] })).record;
  const tried = counts.map((count) => ({ count, together: new Array<LoadRecord>(), apart: new Array<LoadRecord>() }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { count, together, apart } of tried) {
      together.push(await run(count));
      if (count > 1) apart.push(...(await Promise.all(Array.from({ length: count }, () => run(1)))));
    }
  }
  await server.close();
  return tried.map(({ count, together, apart }) => {
    const ratio = cost(together) / cost(apart);
    const rate = median(together.map(({ throughputPerSecond }) => throughputPerSecond));
    const lag = median(together.map(({ generator }) => generator.lag?.p99 ?? Number.NaN));
    const kept = `${rate.toFixed(0)} of ${count * perWorker}/s answered, lag p99 ${lag.toFixed(1)} ms`;
    if (count === 1) return figure('1 worker, CPU for a request', `${cost(together).toFixed(1)} µs`, kept);
    return figure(
      `${count} workers, CPU for a request`,
      `${cost(together).toFixed(1)} µs, × ${ratio.toFixed(2)} of ${count} commands`,
      `≤ ${mostRatio}; ${kept}`,
      ratio <= mostRatio,
    );
  });
}

/** Microseconds of CPU time of the whole command for each answer, without its start. */
function cost(records: readonly LoadRecord[]): number {
  return median(
    records.map(({ generator, throughputPerSecond }) => (generator.processCores * 1e6) / throughputPerSecond),
  );
}
