import { startModelServer } from '../load/calibrate/calibrate.ts';
import { type Answered, type LatencyModel, latencyModels, trueLatencyMs } from '../load/calibrate/latency-models.ts';
import { median } from '../load/compare/statistics/median.ts';
import { pointOf } from '../load/measure/distribution.ts';
import { sharesOfPoints } from '../reports/load/distribution-record.ts';
import { type Figure, figure, percent } from './setup/figure.ts';
import { peerLatencies } from './setup/installed-peers.ts';
import { bareAutocannon, latencyOf, openRun } from './setup/run-engines.ts';

type Trial = {
  readonly model: LatencyModel;
  /**
   * Requests come evenly: so few seconds of random arrivals would measure chance. For the blind spot, 200/s would meet the
   * same 200 instants of its period in every second.
   */
  readonly ratePerSecond: number;
  readonly durationMs: number;
  readonly points: readonly ('p50' | 'p95' | 'p99')[];
  readonly most: number;
};

const trials: readonly Trial[] = [
  {
    model: latencyModels.stall,
    ratePerSecond: 200,
    durationMs: 20_000,
    points: ['p95', 'p99'],
    most: 0.02,
  },
  {
    model: latencyModels.stall,
    ratePerSecond: 1000,
    durationMs: 20_000,
    points: ['p99'],
    most: 0.03,
  },
  {
    model: latencyModels.blindSpot,
    ratePerSecond: 200.1,
    durationMs: 10_000,
    points: ['p50'],
    most: 0.02,
  },
];

const peerConnections = 50;

/** Targets with a known latency model, as measured by this project, by autocannon with a rate, and by the installed peers. */
export async function accuracy(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const trial of trials) {
    const { model, ratePerSecond, durationMs } = trial;
    const server = await startModelServer(model);
    const latency = latencyOf(await openRun({ url: server.url, durationMs }, ratePerSecond, 'constant'));
    const answered = await server.noted();
    const cannon = await bareAutocannon(server.url, durationMs, peerConnections, ratePerSecond);
    const asked = { url: server.url, durationMs, connections: peerConnections, ratePerSecond };
    const peers = [
      // It does not report p95. The next percentile above is nearer to the true value than the one below.
      {
        name: 'autocannon',
        of: (point: Point) => ({ p50: cannon.p50Ms, p95: cannon.p97_5Ms, p99: cannon.p99Ms })[point],
      },
      ...(await peerLatencies(asked)).map(({ name, at }) => ({
        name,
        of: (point: Point) => at?.(sharesOfPoints[point]),
      })),
    ];
    await server.close();
    figures.push(
      ...trial.points.map((point) => judged(trial, point, { reportedMs: pointOf(latency, point), answered, peers })),
    );
  }
  return figures;
}

type Point = Trial['points'][number];
type Reporting = { readonly name: string; readonly of: (point: Point) => number | undefined };

type Reported = {
  readonly reportedMs: number;
  readonly answered: readonly Answered[];
  readonly peers: readonly Reporting[];
};

/** Latencies have three digits, so a smaller difference between two errors says nothing. */
const digits = 0.001;

/** Requests this near to a percentile, as a share of it, show how late the server answers there. */
const near = 0.1;

function judged(
  { model, ratePerSecond, most }: Trial,
  point: Point,
  { reportedMs, answered, peers }: Reported,
): Figure {
  const byModelMs = trueLatencyMs(model, sharesOfPoints[point]);
  const around = answered.filter(({ modelMs }) => Math.abs(modelMs / byModelMs - 1) <= near);
  // What the server is late belongs to the truth, for every generator: after a stall it answers a hundred requests, one after the other.
  const trueMs = byModelMs + median(around.map(({ lateMs }) => lateMs));
  const error = Math.abs(reportedMs / trueMs - 1);
  const theirs = peers.map(({ name, of }) => ({ name, ms: of(point) }));
  const isNearest = theirs.every(({ ms }) => ms === undefined || error <= Math.abs(ms / trueMs - 1) + digits);
  const others = theirs.map(({ name, ms }) => `${name} ${ms === undefined ? 'not installed' : ms.toFixed(0)}`);
  return figure(
    `accuracy, ${model.name} at ${ratePerSecond.toFixed(0)}/s, ${point}`,
    `${reportedMs.toFixed(1)} ms of ${trueMs.toFixed(1)}, off ${percent(error)}`,
    `≤ ${percent(most)}, and nearer than ${others.join(', ')}`,
    error <= most && isNearest,
  );
}
