import { startLawServer } from '../load/calibrate/calibrate.ts';
import { type Law, laws, trueLatencyMs } from '../load/calibrate/laws.ts';
import { pointOf } from '../load/distribution.ts';
import { type Figure, figure, percent } from './figure.ts';
import { bareAutocannon, latencyOf, openRun } from './run-engines.ts';

type Trial = {
  readonly law: Law;
  /** Even ones, where the law is not as regular as they are: so few seconds of random ones would measure their own luck. */
  readonly arrivals: 'poisson' | 'constant';
  readonly ratePerSecond: number;
  readonly durationMs: number;
  readonly points: readonly ('p50' | 'p95' | 'p99')[];
  readonly most: number;
};

const trials: readonly Trial[] = [
  { law: laws.stall, arrivals: 'constant', ratePerSecond: 200, durationMs: 20_000, points: ['p95', 'p99'], most: 0.03 },
  { law: laws.stall, arrivals: 'constant', ratePerSecond: 1000, durationMs: 20_000, points: ['p99'], most: 0.05 },
  { law: laws.blindSpot, arrivals: 'poisson', ratePerSecond: 200, durationMs: 10_000, points: ['p50'], most: 0.1 },
];

const shares = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;

/** What is reported of targets of known law, by us and by autocannon with a rate. */
export async function accuracy(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const { law, arrivals, ratePerSecond, durationMs, points, most } of trials) {
    const server = await startLawServer(law);
    const latency = latencyOf(await openRun({ url: server.url, durationMs }, ratePerSecond, arrivals));
    const peer = await bareAutocannon(server.url, durationMs, 50, ratePerSecond);
    await server.close();
    const peers = { p50: peer.p50Ms, p95: peer.p97_5Ms, p99: peer.p99Ms };
    for (const point of points) {
      const trueMs = trueLatencyMs(law, shares[point]);
      const reportedMs = pointOf(latency, point);
      const error = Math.abs(reportedMs / trueMs - 1);
      const isNearer = error <= Math.abs(peers[point] / trueMs - 1);
      figures.push(
        figure(
          `accuracy, ${law.name} law at ${ratePerSecond}/s, ${point}`,
          `${reportedMs.toFixed(0)} ms of ${trueMs.toFixed(0)}, off ${percent(error)}`,
          `≤ ${percent(most)}, nearer than autocannon's ${peers[point].toFixed(0)}${point === 'p95' ? ' (p97.5)' : ''}`,
          error <= most && isNearer,
        ),
      );
    }
  }
  return figures;
}
