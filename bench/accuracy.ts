import { startModelServer } from '../load/calibrate/calibrate.ts';
import { type LatencyModel, latencyModels, trueLatencyMs } from '../load/calibrate/latency-models.ts';
import { pointOf } from '../load/measure/distribution.ts';
import { type Figure, figure, percent } from './setup/figure.ts';
import { peerLatencies } from './setup/installed-peers.ts';
import { bareAutocannon, latencyOf, openRun } from './setup/run-engines.ts';

type Trial = {
  readonly model: LatencyModel;
  /** Even arrivals unless the model is as regular: so few seconds of random arrivals would measure chance. */
  readonly arrivals: 'poisson' | 'constant';
  readonly ratePerSecond: number;
  readonly durationMs: number;
  readonly points: readonly ('p50' | 'p95' | 'p99')[];
  readonly most: number;
};

const trials: readonly Trial[] = [
  {
    model: latencyModels.stall,
    arrivals: 'constant',
    ratePerSecond: 200,
    durationMs: 20_000,
    points: ['p95', 'p99'],
    most: 0.03,
  },
  {
    model: latencyModels.stall,
    arrivals: 'constant',
    ratePerSecond: 1000,
    durationMs: 20_000,
    points: ['p99'],
    most: 0.05,
  },
  {
    model: latencyModels.blindSpot,
    arrivals: 'poisson',
    ratePerSecond: 200,
    durationMs: 10_000,
    points: ['p50'],
    most: 0.1,
  },
];

const shares = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;

const peerConnections = 50;

/** Targets with a known latency model, as measured by this project, by autocannon with a rate, and by the installed peers. */
export async function accuracy(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const trial of trials) {
    const { model, arrivals, ratePerSecond, durationMs } = trial;
    const server = await startModelServer(model);
    const latency = latencyOf(await openRun({ url: server.url, durationMs }, ratePerSecond, arrivals));
    const cannon = await bareAutocannon(server.url, durationMs, peerConnections, ratePerSecond);
    const asked = { url: server.url, durationMs, connections: peerConnections, ratePerSecond };
    const peers = [
      // It does not report p95. The next percentile above is nearer to the true value than the one below.
      {
        name: 'autocannon',
        of: (point: Point) => ({ p50: cannon.p50Ms, p95: cannon.p97_5Ms, p99: cannon.p99Ms })[point],
      },
      ...(await peerLatencies(asked)).map(({ name, at }) => ({ name, of: (point: Point) => at?.(shares[point]) })),
    ];
    await server.close();
    figures.push(...trial.points.map((point) => judged(trial, point, pointOf(latency, point), peers)));
  }
  return figures;
}

type Point = Trial['points'][number];
type Reporting = { readonly name: string; readonly of: (point: Point) => number | undefined };

function judged({ model, ratePerSecond, most }: Trial, point: Point, reportedMs: number, peers: readonly Reporting[]) {
  const trueMs = trueLatencyMs(model, shares[point]);
  const error = Math.abs(reportedMs / trueMs - 1);
  const theirs = peers.map(({ name, of }) => ({ name, ms: of(point) }));
  const isNearest = theirs.every(({ ms }) => ms === undefined || error <= Math.abs(ms / trueMs - 1));
  const others = theirs.map(({ name, ms }) => `${name} ${ms === undefined ? 'not installed' : ms.toFixed(0)}`);
  return figure(
    `accuracy, ${model.name} at ${ratePerSecond}/s, ${point}`,
    `${reportedMs.toFixed(0)} ms of ${trueMs.toFixed(0)}, off ${percent(error)}`,
    `≤ ${percent(most)}, and nearer than ${others.join(', ')}`,
    error <= most && isNearest,
  );
}
