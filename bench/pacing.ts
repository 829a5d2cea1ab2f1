import { type Figure, figure } from './setup/figure.ts';
import { pointOf } from '../load/measure/distribution.ts';
import { bareAutocannon, openRun } from './setup/run-engines.ts';
import { startRawServer } from './setup/start-raw-server.ts';

const durationMs = 5000;
const ratePerSecond = 200;

/** How evenly requests arrive at the server, and how late they are sent. */
export async function pacing(): Promise<readonly Figure[]> {
  const server = await startRawServer('same');
  await openRun({ url: server.url, durationMs }, ratePerSecond, 'constant');
  const ours = gapVariation(await server.noted());
  await bareAutocannon(server.url, durationMs, 10, ratePerSecond);
  const peer = gapVariation(await server.noted());
  const { lag } = await openRun({ url: server.url, durationMs }, 1000);
  await server.close();
  return [
    figure(`gap variation at a constant ${ratePerSecond}/s`, ours.toFixed(3), '≤ 0.2', ours <= 0.2),
    figure(
      "  smoother than autocannon's rate",
      `${(peer / ours).toFixed(0)} times (its variation ${peer.toFixed(1)})`,
      '≥ 50',
      peer / ours >= 50,
    ),
    figure(
      'lag at 1,000/s, p99',
      `${pointOf(lag, 'p99').toFixed(2)} ms (p50 ${pointOf(lag, 'p50').toFixed(2)})`,
      '≤ 2 ms',
      pointOf(lag, 'p99') <= 2,
    ),
  ];
}

/** Standard deviation of the gaps over their mean, from the first second on. */
function gapVariation(arrivals: readonly number[]): number {
  const times = arrivals.slice(ratePerSecond);
  const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  return Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length) / mean;
}
