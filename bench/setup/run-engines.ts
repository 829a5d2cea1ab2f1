import autocannon from 'autocannon';
import type { Route } from '../../core/target.ts';
import { bareClosed, bareOpen } from '../../load/calibrate/bare-engines.ts';
import { type Listener, runOpen } from '../../load/engine/open-engine.ts';
import { type Arrived, openSockets } from '../../load/engine/sockets.ts';
import { countOf, timesOf } from '../../load/judge/measured.ts';
import type { TimeHistogram } from '../../load/measure/histogram.ts';
import { createMeasurement, type Measurement } from '../../load/measure/measurement.ts';
import { arrivals, type Schedule } from '../../load/schedule/arrivals.ts';
import { listRequest, type LoadRequest } from '../../load/schedule/load-request.ts';

const principal = { name: 'bench', key: 'none', variable: '$NONE', adminOf: [] };
const warmUpMs = 500;
/** The default of a profile. */
const usualSockets = 512;

/** The request that every engine of the bench sends. */
export const benchRequest: LoadRequest = listRequest('listModels', principal, 'org_1', 2, 20_000);
const planned = { kind: 'request', request: benchRequest, done: () => {} } as const;
const never = new AbortController().signal;

export type EngineRun = Pick<Route, 'tls' | 'http2'> & {
  readonly url: string;
  readonly durationMs: number;
  readonly listener?: Listener;
};

/** Our open engine at a rate. */
export function openRun(
  { url, durationMs, listener }: EngineRun,
  ratePerSecond: number,
  kind: Schedule['arrivals'] = 'poisson',
  sockets = usualSockets,
): Promise<Measurement> {
  const run = { url, request: benchRequest, warmUpMs, durationMs, listener };
  return bareOpen(run, { arrivals: kind, ratePerSecond, seed: 1, sockets });
}

/** Every request of this schedule is overdue, at this rate. */
const overduePerSecond = 1_000_000;

/** Our open engine when it is late: it sends so many requests as fast as the connections take them. */
export async function lateRun(
  { url, listener = () => {} }: Pick<EngineRun, 'url' | 'listener'>,
  requests: number,
  connections: number,
): Promise<Measurement> {
  const overMs = (1000 * requests) / overduePerSecond;
  const measurement = createMeasurement(overMs);
  const pool = openSockets({ baseUrl: url }, connections, 10_000);
  const stages = [{ ratePerSecond: overduePerSecond, overMs }];
  let underWay = 0;
  let wake = () => {};
  const wakeIfFree = () => {
    if (underWay >= connections) return;
    setImmediate(wake);
    wake = () => {};
  };
  const done = () => {
    underWay -= 1;
    wakeIfFree();
  };
  const late = { ...planned, done };
  await runOpen({
    schedule: arrivals({ arrivals: 'poisson', ratePerSecond: overduePerSecond, stages }, 1),
    plan: () => {
      underWay += 1;
      return late;
    },
    sockets: pool,
    pacer(_atMs, next) {
      wake = next;
      wakeIfFree();
      return () => {};
    },
    measurement,
    startAt: performance.now() - overMs,
    listener,
    signal: never,
  });
  pool.close();
  return measurement;
}

/** Our closed engine. */
export function closedRun({ url, durationMs, listener }: EngineRun, connections: number): Promise<Measurement> {
  return bareClosed({ url, request: benchRequest, warmUpMs, durationMs, listener }, connections);
}

/** The pool of sockets of our open engine without a schedule: each answer sends the next request. Answers in that time. */
export async function poolRun({ url, durationMs, ...settings }: EngineRun, connections: number): Promise<number> {
  const pool = openSockets({ baseUrl: url, ...settings }, connections, 10_000);
  const endAt = performance.now() + durationMs;
  let answers = 0;
  const keepBusy = async () => {
    while (performance.now() < endAt) {
      const { promise, resolve } = Promise.withResolvers<Arrived>();
      pool.send(benchRequest.request, () => {}, resolve);
      const { outcome } = await promise;
      if (outcome !== 200) throw new Error(`the server of the bench answered ${outcome}`);
      answers += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, keepBusy));
  pool.close();
  return answers;
}

/** autocannon without changes; `rate` 0 is as fast as possible. Latencies as it reports them, in milliseconds. */
export async function bareAutocannon(url: string, durationMs: number, connections: number, rate = 0) {
  const { method, path, headers } = benchRequest.request;
  const options: autocannon.Options = {
    url,
    connections,
    duration: durationMs / 1e3,
    ...(rate > 0 ? { overallRate: rate } : {}),
    requests: [
      {
        method,
        path,
        headers: { ...headers },
      },
    ],
  };
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>();
  autocannon(options, (error: unknown, result: autocannon.Result) =>
    error instanceof Error ? reject(error) : resolve(result),
  );
  const result = await promise;
  return {
    perSecond: (result['2xx'] ?? 0) / result.duration,
    p50Ms: result.latency.p50,
    p97_5Ms: result.latency.p97_5,
    p99Ms: result.latency.p99,
  };
}

export function answersOf({ operations }: Measurement): number {
  return countOf(operations, (kind) => kind === 'ok');
}

export function latencyOf({ operations }: Measurement): TimeHistogram {
  return timesOf(operations, 'latency');
}
