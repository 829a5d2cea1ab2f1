import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';
import { theilSen } from '../load/compare/statistics/theil-sen.ts';
import { countSample, countSent, createMeasurement } from '../load/measure/measurement.ts';
import { arrivals } from '../load/schedule/arrivals.ts';
import { seededRandom } from '../reference/random.ts';
import { normal } from '../testing/simulated/trials.ts';
import { type Figure, figure } from './setup/figure.ts';
import { startRawServer } from './setup/start-raw-server.ts';
import { targetText } from './setup/bench-target.ts';
import { watchLoad } from './setup/watch-load.ts';

const ratePerSecond = 1000;
const hourMs = 3_600_000;
/** A load keeps at most 600 slices of its time series. One with many different latencies takes about 50 KB for each operation. */
const mostGrowthMb = 20;
const sentFaster = 10;
const countedParts = 48;

const profile = `question: Does an hour of requests take more and more memory?
load: { open: { rate: ${ratePerSecond * sentFaster} } }
duration: ${hourMs / 1000 / sentFaster}s
operations: { listModels: { weight: 1, limits: [2] } }
`;

/** Whether long loads stay flat in memory, in accelerated time. */
export async function soak(): Promise<readonly Figure[]> {
  return [await sentHour(), countedDay()];
}

/** The requests of an hour, sent by the whole command as fast as a usual machine can send them. */
async function sentHour(): Promise<Figure> {
  const server = await startRawServer('same');
  const { samplesMb, mostMb, record } = await watchLoad(profile, { target: targetText(server.url) });
  await server.close();
  const late = samplesMb.slice(Math.floor(samplesMb.length / 2));
  const growth = theilSen(late).slope * late.length;
  const answers = record.operations.reduce((sum, { sent }) => sum + sent, 0);
  return figure(
    `an hour at ${ratePerSecond}/s, sent in ${hourMs / 60_000 / sentFaster} minutes`,
    `${growth.toFixed(1)} MB growth in its second half`,
    `≤ ${mostGrowthMb} (${answers} requests, ${mostMb.toFixed(0)} MB at most)`,
    growth <= mostGrowthMb,
  );
}

/** The schedule and the figures of a day, without a network: only what a load keeps. */
function countedDay(): Figure {
  const overMs = 24 * hourMs;
  const measurement = createMeasurement(overMs);
  const { next: random } = seededRandom(1, 'bench');
  const heapMb: number[] = [];
  for (const { atMs } of arrivals({ arrivals: 'poisson', ratePerSecond, stages: [{ ratePerSecond, overMs }] }, 1)) {
    if (atMs >= (overMs / countedParts) * heapMb.length) heapMb.push(usedHeapMb());
    const latencyMs = 20 * Math.exp(0.5 * normal(random));
    countSent(measurement, 'listModels', atMs, 0.1);
    countSample(measurement, { operation: 'listModels', outcome: 200, atMs, latencyMs, serviceMs: latencyMs });
  }
  const growth = usedHeapMb() - (heapMb[countedParts / 2] ?? Number.NaN);
  return figure(
    `a day at ${ratePerSecond}/s, counted without a network`,
    `${growth.toFixed(1)} MB growth in its second half`,
    `≤ ${mostGrowthMb} (${measurement.slices.length} slices)`,
    growth <= mostGrowthMb,
  );
}

/** Without garbage, and with the memory of typed arrays. */
function usedHeapMb(): number {
  setFlagsFromString('--expose-gc');
  z.function().parse(runInNewContext('gc'))();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1024 / 1024;
}
