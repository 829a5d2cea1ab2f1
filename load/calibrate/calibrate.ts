import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { arrivals, type Schedule } from '../schedule/arrivals.ts';
import { runClosed } from '../engine/closed-engine.ts';
import { pointOf } from '../measure/distribution.ts';
import { mergeHistograms, type TimeHistogram } from '../measure/histogram.ts';
import { billingRequest } from '../schedule/load-request.ts';
import { createMeasurement, type Measurement } from '../measure/measurement.ts';
import { runOpen, withWarmUp } from '../engine/open-engine.ts';
import { timerPacer } from '../engine/pacer.ts';
import { openSockets } from '../engine/sockets.ts';
import { type LatencyModel, trueLatencyMs } from './latency-models.ts';

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

export type CalibrationOptions = {
  readonly model: LatencyModel;
  /** Even ones measure more exactly in short time, where the model is not as regular as they are. */
  readonly arrivals: Schedule['arrivals'];
  readonly ratePerSecond: number;
  readonly connections: number;
  /** A whole number of the model's periods. */
  readonly durationMs: number;
  readonly seed: number;
};

const sockets = 512;
const warmUpMs = 300;
const timeoutMs = 20_000;
const shares = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;
const serverUrl = new URL(`./latency-model-server${import.meta.url.slice(-3)}`, import.meta.url);

/** Both engines against a target with a known latency model, one after the other. */
export async function calibrate(options: CalibrationOptions): Promise<readonly Calibration[]> {
  const { model } = options;
  const server = await startModelServer(model);
  try {
    const engines = { open: await measureOpen(server.url, options), closed: await measureClosed(server.url, options) };
    return [calibrationOf(model, 'open', engines.open), calibrationOf(model, 'closed', engines.closed)];
  } finally {
    await server.close();
  }
}

function calibrationOf(model: LatencyModel, engine: 'open' | 'closed', times: TimeHistogram): Calibration {
  const points = (['p50', 'p95', 'p99'] as const).map((point) => ({
    point,
    trueMs: trueLatencyMs(model, shares[point]),
    reportedMs: pointOf(times, point),
  }));
  return { model, engine, answers: times.totalCount, points };
}

export type ModelServer = {
  readonly url: string;
  /** How much later than its model it answered each request since the last call, in milliseconds. */
  readonly latenesses: () => Promise<readonly number[]>;
  readonly close: () => Promise<void>;
};

/** A target with a known latency model in a process of its own, on loopback. */
export async function startModelServer(model: LatencyModel): Promise<ModelServer> {
  const child = fork(fileURLToPath(serverUrl), [JSON.stringify(model)], { detached: true });
  const [message] = await once(child, 'message');
  const address = z.object({ port: z.int() }).parse(message);
  return {
    url: `http://127.0.0.1:${address.port}`,
    async latenesses() {
      child.send('latenesses');
      const [times] = await once(child, 'message');
      return z.array(z.number()).parse(times);
    },
    close: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

const principal = { name: 'calibration', key: 'none', variable: '$NONE', adminOf: [] };
const planned = { kind: 'request', request: billingRequest(principal, 'ba', timeoutMs), done: () => {} } as const;

async function measureOpen(
  url: string,
  { arrivals: kind, ratePerSecond, durationMs, seed }: CalibrationOptions,
): Promise<TimeHistogram> {
  const measurement = createMeasurement(durationMs);
  const stages = [{ ratePerSecond, overMs: durationMs }];
  const pool = openSockets({ baseUrl: url }, sockets, timeoutMs);
  await runOpen({
    schedule: withWarmUp(warmUpMs, ratePerSecond, arrivals({ arrivals: kind, ratePerSecond, stages }, seed)),
    plan: () => planned,
    sockets: pool,
    pacer: timerPacer,
    measurement,
    startAt: performance.now() + warmUpMs,
    listener: () => {},
    signal: new AbortController().signal,
  });
  pool.close();
  return latenciesOf(measurement);
}

async function measureClosed(url: string, { connections, durationMs }: CalibrationOptions): Promise<TimeHistogram> {
  const measurement = createMeasurement(durationMs);
  await runClosed({
    route: { baseUrl: url },
    connections,
    plan: () => planned,
    measurement,
    warmUpMs,
    durationMs,
    gate: () => 0,
    listener: () => {},
    signal: new AbortController().signal,
  });
  return latenciesOf(measurement);
}

function latenciesOf({ operations }: Measurement): TimeHistogram {
  return mergeHistograms(
    [...operations.values()].flatMap(({ outcomes }) => [...outcomes.values()].map(({ latency }) => latency)),
  );
}
