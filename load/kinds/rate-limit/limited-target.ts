import { type ClosedResult, type ClosedRun, runClosed } from '../../engine/closed-engine.ts';
import type { LoadRequest } from '../../schedule/load-request.ts';
import type { Listener } from '../../engine/open-engine.ts';
import { type SendOptions, sendOne } from '../../engine/send-one.ts';
import { type Arrived, openSockets } from '../../engine/sockets.ts';
import { type RateCap, spacedGate } from '../../engine/rate-cap.ts';
import { createCrowd, type HerdManner } from './crowd.ts';
import type { Prober } from './observe-windows.ts';
import { type LimitSample, limitSampleOf } from './limit-sample.ts';

export type LimitedTargetOptions = Pick<ClosedRun, 'route' | 'connections' | 'measurement' | 'listener' | 'signal'> & {
  readonly maxRequestsPerSecond: number;
  readonly rateCap: RateCap;
  /** The request that uses up the quota. */
  readonly request: LoadRequest;
};

export type LimitedTarget = Prober & {
  /** One request of any kind, on the connection of the single client. */
  readonly send: (request: LoadRequest) => Promise<{ readonly sample: LimitSample; readonly arrived: Arrived }>;
  /**
   * Sends on all connections at once, for a time or up to a number of requests. If they obey, each waits as long as the
   * latest refusal asks; otherwise none waits.
   */
  readonly herd: (manner: HerdManner) => Promise<readonly LimitSample[]>;
  readonly close: () => Promise<ClosedResult>;
};

const singleTimeoutMs = 10_000;

/**
 * One connection for a single client, and many that act together, all to the first entry point, because nodes may count requests
 * apart. All instants are of `performance.now()`.
 */
export function openLimitedTarget(options: LimitedTargetOptions): LimitedTarget {
  const { connections, measurement, request, maxRequestsPerSecond, rateCap } = options;
  const route = { ...options.route, baseUrls: undefined };
  const single = openSockets(route, 1, singleTimeoutMs, rateCap);
  const startedAt = performance.now();
  const closed = new AbortController();
  const over = AbortSignal.any([options.signal, closed.signal]);
  const crowd = createCrowd(spacedGate(maxRequestsPerSecond, rateCap), over);
  let passed = { count: 0, at: 0 };
  const listener: Listener = (heard, arrived, times) => {
    options.listener(heard, arrived, times);
    if (limitSampleOf(arrived, times.sentAt, times.endedAt).kind === 'limited') return;
    passed = { count: passed.count + 1, at: times.endedAt };
  };
  const engine = runClosed({
    route,
    connections,
    plan: () => ({ kind: 'request', request, done: () => {} }),
    measurement,
    warmUpMs: 0,
    durationMs: 24 * 3_600_000, // until it is closed
    gate: crowd.gate,
    listener(heard, arrived, times) {
      listener(heard, arrived, times);
      crowd.hear(heard, arrived, times);
    },
    signal: over,
  });

  const sending: SendOptions = {
    sockets: single,
    measurement,
    startAt: startedAt,
    listener,
    signal: over,
  };

  async function send(sent: LoadRequest) {
    const { arrived, sentAt, endedAt } = await sendOne(sending, sent);
    return { arrived, sample: limitSampleOf(arrived, sentAt, endedAt) };
  }

  return {
    burst: crowd.burst,
    herd: crowd.herd,
    probe: async () => (await send(request)).sample,
    send,
    passed: () => passed,
    async close() {
      closed.abort();
      single.close();
      return engine;
    },
  };
}
