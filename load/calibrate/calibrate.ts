import { ownModule } from '../../core/own-module.ts';
import { sharesOfPoints } from '../../reports/load/distribution-record.ts';
import { timesOf } from '../judge/measured.ts';
import { pointOf } from '../measure/distribution.ts';
import type { Measurement } from '../measure/measurement.ts';
import { billingRequest } from '../schedule/load-request.ts';
import { bareClosed, bareOpen, type BareRate } from './bare-engines.ts';
import { type ForkedServer, forkServer } from './fork-server.ts';
import { type Answered, answeredSchema, type LatencyModel, trueLatencyMs } from './latency-models.ts';

/** What an engine says of a model, and what is true, in milliseconds. */
export type Calibration = {
  readonly model: LatencyModel;
  readonly engine: 'open' | 'closed';
  readonly answers: number;
  readonly points: readonly {
    readonly point: 'p50' | 'p95' | 'p99';
    readonly trueMs: number;
    readonly reportedMs: number;
  }[];
};

/** Even arrivals measure more exactly in short time, where the model is not as regular as they are. */
export type CalibrationOptions = Omit<BareRate, 'sockets'> & {
  readonly model: LatencyModel;
  readonly connections: number;
  /** A whole number of the model's periods. */
  readonly durationMs: number;
};

const sockets = 512;
const warmUpMs = 300;
const principal = { name: 'calibration', key: 'none', variable: '$NONE', adminOf: [] };
const request = billingRequest(principal, 'ba', 20_000);
const serverUrl = ownModule('load/calibrate/latency-model-server');

/** Both engines against a target with a known latency model, one after the other. */
export async function calibrate(options: CalibrationOptions): Promise<readonly Calibration[]> {
  const { model, connections, durationMs } = options;
  const server = await startModelServer(model);
  const run = { url: server.url, request, warmUpMs, durationMs };
  try {
    const open = await bareOpen(run, { ...options, sockets });
    const closed = await bareClosed(run, connections);
    return [calibrationOf(model, 'open', open), calibrationOf(model, 'closed', closed)];
  } finally {
    await server.close();
  }
}

function calibrationOf(model: LatencyModel, engine: 'open' | 'closed', measured: Measurement): Calibration {
  const times = timesOf(measured.operations, 'latency');
  const points = (['p50', 'p95', 'p99'] as const).map((point) => ({
    point,
    trueMs: trueLatencyMs(model, sharesOfPoints[point]),
    reportedMs: pointOf(times, point),
  }));
  return { model, engine, answers: times.totalCount, points };
}

/** A target with a known latency model, which notes how much later it answered each request. */
export function startModelServer(model: LatencyModel): Promise<ForkedServer<Answered>> {
  return forkServer(serverUrl, JSON.stringify(model), answeredSchema);
}
