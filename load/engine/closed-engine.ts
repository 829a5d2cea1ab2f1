import autocannon from 'autocannon';
import { baseUrlsOf } from '../../core/network/address.ts';
import { createDialer } from '../../core/network/dial.ts';
import type { Route } from '../../core/target.ts';
import { isInnerClient } from './autocannon-client.ts';
import { type ClosedHost, type ClosedLine, takeOver } from './closed-client.ts';
import { type ClosedDriver, driveStreams } from './closed-streams.ts';
import { countSample, countSent, type Measurement } from '../measure/measurement.ts';
import { createKeptBodies } from './kept-bodies.ts';
import type { Listener } from './open-engine.ts';
import { createTraces } from './new-trace.ts';
import { createRawRequests } from './raw-request.ts';
import type { Planned } from '../schedule/request-plan.ts';

export type ClosedRun = {
  readonly route: Route;
  readonly connections: number;
  readonly plan: (index: number) => Planned;
  readonly measurement: Measurement;
  readonly warmUpMs: number;
  readonly durationMs: number;
  /** How long to wait before sending, in milliseconds: 0 sends now. Asked by every connection before every request. */
  readonly gate: () => number;
  readonly listener: Listener;
  readonly signal: AbortSignal;
};

export type ClosedResult = {
  readonly unfinished: number;
  /** Connections that closed without notice. If there are any, the latencies include the time to connect again. */
  readonly closes: number;
  /** How long the measured part took, in milliseconds. */
  readonly tookMs: number;
};

/** How often autocannon checks whether it was stopped. */
const stopLookMs = 50;

/** Requests that may be dropped in a row before a connection waits for a chat to become free. */
const maxDraws = 20;

/**
 * Keeps this many connections busy: each sends its next request when the last one is answered. It measures throughput, not
 * what users see, because it slows down with its target. autocannon runs the connections of HTTP/1.1 in this thread; this
 * project decides what is sent, counted and timed.
 */
export async function runClosed(run: ClosedRun): Promise<ClosedResult> {
  const { measurement, signal } = run;
  const startAt = performance.now() + run.warmUpMs;
  const endAt = startAt + run.durationMs;
  let index = 0;
  let underWay = 0;
  let unfinished = 0;
  let closes = 0;

  function next() {
    for (let draw = 0; draw < maxDraws; draw += 1) {
      if (signal.aborted || performance.now() >= endAt) return undefined;
      const planned = run.plan(index);
      index += 1;
      if (planned.kind === 'request') return planned;
    }
    return 'later';
  }

  const host: ClosedHost = {
    next,
    gate: run.gate,
    sent(request, at) {
      underWay += 1;
      countSent(measurement, request.operation, at - startAt);
    },
    over(request, arrived, sentAt, endedAt) {
      underWay -= 1;
      const tookMs = endedAt - sentAt;
      const { operation } = request;
      const { outcome, sent } = arrived;
      const atMs = sentAt - startAt;
      countSample(measurement, { operation, outcome, atMs, latencyMs: tookMs, serviceMs: tookMs, sent });
      run.listener(request, arrived, { sentAt, endedAt, isWarmUp: sentAt < startAt });
    },
    closed: () => void (closes += 1),
    unfinished: () => void (unfinished += 1),
  };

  const { http2 = 'never' } = run.route;
  const driver = http2 === 'never' ? driveAutocannon(run, host) : driveStreams(run.route, run.connections, host);
  const look = setInterval(() => {
    if (signal.aborted || (performance.now() >= endAt && underWay === 0)) driver.stop();
  }, stopLookMs);
  try {
    await driver.ended;
  } finally {
    clearInterval(look);
  }
  return { unfinished, closes, tookMs: Math.min(performance.now(), endAt) - startAt };
}

/** Each connection belongs to one entry point, in turn. */
function driveAutocannon(run: ClosedRun, host: ClosedHost): ClosedDriver {
  const bodies = createKeptBodies();
  const newTrace = createTraces();
  const lines = baseUrlsOf(run.route).map((baseUrl): ClosedLine => {
    const route = { ...run.route, baseUrl };
    return { baseUrl, dial: createDialer(route).dial, bytesOf: createRawRequests(route), newTrace, bodies };
  });
  let connection = 0;
  const options: autocannon.Options = {
    url: run.route.baseUrl,
    connections: run.connections,
    // It is stopped by its caller. Without a rate autocannon corrects nothing for coordinated omission, as intended.
    duration: (run.warmUpMs + run.durationMs) / 1000 + 3600,
    sampleInt: stopLookMs,
    setupClient(client: unknown) {
      const line = lines[connection % lines.length];
      connection += 1;
      if (!isInnerClient(client) || line === undefined)
        throw new Error('autocannon is not the version that this engine was built for');
      takeOver(client, host, line);
    },
  };
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const instance = autocannon(options, (error: unknown) => {
    if (error instanceof Error) reject(error);
    else resolve();
  });
  return { ended, stop: () => instance.stop() };
}
