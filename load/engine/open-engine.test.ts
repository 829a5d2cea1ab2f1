import { expect, test, vi } from 'vitest';
import type { Principal } from '../../core/target.ts';
import { listRequest, type LoadRequest } from '../schedule/load-request.ts';
import { createMeasurement, type Measurement } from '../measure/measurement.ts';
import { type OpenRun, runOpen, withWarmUp } from './open-engine.ts';
import type { Outcome } from '../measure/outcome.ts';
import { mostSlowest } from '../measure/slowest.ts';
import { timerPacer } from './pacer.ts';
import { createRateCap } from './rate-cap.ts';
import type { Planned } from '../schedule/request-plan.ts';
import { openSockets, type SocketPool } from './sockets.ts';
import { json, tinyServer } from '../../testing/network/tiny-server.ts';

const alice: Principal = { name: 'alice', key: 'key-of-alice', variable: '$ALICE', adminOf: ['org'] };

function request(limit: number, timeoutMs = 2000): LoadRequest {
  return listRequest('listModels', alice, 'org', limit, timeoutMs);
}

function everyMs(gapMs: number, count: number) {
  return Array.from({ length: count }, (_, index) => ({ index, atMs: index * gapMs }));
}

async function run(
  url: string,
  options: Pick<OpenRun, 'schedule'> & Partial<OpenRun> & { cap?: number; timeoutMs?: number },
): Promise<{
  measurement: Measurement;
  unfinished: number;
  isSwamped: boolean;
  waited: number;
  peak: number;
  heard: readonly Outcome[];
}> {
  const measurement = createMeasurement(10_000);
  const sockets = openSockets({ baseUrl: url }, options.cap ?? 16, 1000);
  const heard: Outcome[] = [];
  const { unfinished, isSwamped } = await runOpen({
    plan: (index) => ({ kind: 'request', request: request(index + 1, options.timeoutMs), done: () => {} }),
    sockets,
    pacer: timerPacer,
    measurement,
    startAt: performance.now() + 5,
    listener: (_request, { outcome }) => heard.push(outcome),
    signal: new AbortController().signal,
    ...options,
  });
  const stats = sockets.stats();
  sockets.close();
  return { measurement, unfinished, isSwamped, waited: stats.waited, peak: stats.peak, heard };
}

function counts({ operations }: Measurement): Record<string, number> {
  const { outcomes } = operations.get('listModels') ?? { outcomes: new Map() };
  return Object.fromEntries([...outcomes].map(([outcome, { count }]) => [String(outcome), count]));
}

test('sends every request of the schedule, each answer counted by its status', async () => {
  await using server = await tinyServer((_message, reply, ordinal) => json(reply, ordinal % 4 === 0 ? 429 : 200, {}));
  const { measurement, heard } = await run(server.url, { schedule: everyMs(2, 40) });
  expect(counts(measurement)).toEqual({ 200: 30, 429: 10 });
  expect(heard).toHaveLength(40);
  expect(server.paths[0]).toBe('/api/public/organizations/org/models?limit=1');
  expect(measurement.lag.totalCount).toBe(40);
});

test('a path of the base URL stands before every path', async () => {
  await using server = await tinyServer((_message, reply) => json(reply, 200, {}));
  await run(`${server.url}/base/`, { schedule: everyMs(1, 1) });
  expect(server.paths).toEqual(['/base/api/public/organizations/org/models?limit=1']);
});

test('the slowest requests are kept with the traces that the target saw, also of one that it never answered', async () => {
  const traces: string[] = [];
  await using server = await tinyServer((message, reply, ordinal) => {
    traces.push(String(message.headers['traceparent']).slice(3, 35));
    if (ordinal === 13) setTimeout(() => json(reply, 503, {}), 60);
    else if (ordinal !== 3) json(reply, 200, {});
  });
  const { measurement } = await run(server.url, { schedule: everyMs(2, 30), timeoutMs: 250 });
  const slowest = measurement.slowest.all();
  expect(slowest).toHaveLength(mostSlowest);
  const [late, lost] = [503, 'timeout'].map((outcome) => slowest.find((one) => one.outcome === outcome));
  expect(late).toMatchObject({ operation: 'listModels', traceId: traces[12] });
  expect(lost).toMatchObject({ operation: 'listModels', traceId: traces[2] });
  expect(late?.latencyMs).toBeGreaterThan(59);
  expect(lost?.latencyMs).toBeGreaterThan(250);
});

test('latency counts from the scheduled instant, service time from the sending', async () => {
  await using server = await tinyServer((_message, reply) => setTimeout(() => json(reply, 200, {}), 50));
  const { measurement, waited, peak } = await run(server.url, { schedule: everyMs(1, 8), cap: 1 });
  const measure = measurement.operations.get('listModels')?.outcomes.get(200);
  expect(waited).toBe(7);
  expect(peak).toBe(1);
  expect(measure?.latency.maxValue).toBeGreaterThan(8 * 50_000 - 15_000);
  expect(measure?.service.minNonZeroValue).toBeGreaterThan(45_000);
  expect(measure?.service.maxValue).toBeLessThan((measure?.latency.maxValue ?? 0) / 2);
});

test('what takes too long is a timeout, waiting for a socket too, and its wait counts in the latencies', async () => {
  await using server = await tinyServer(() => {});
  const schedule = [0, 1, 2].map((index) => ({ index, atMs: 0 }));
  // The one that waits for a socket gives up long before the others do: it never gets theirs.
  const plan = (index: number): Planned => ({
    kind: 'request',
    request: request(index + 1, index === 2 ? 150 : 1000),
    done: () => {},
  });
  const { measurement } = await run(server.url, { schedule, plan, cap: 2 });
  expect(counts(measurement)).toEqual({ timeout: 3 });
  const measure = measurement.operations.get('listModels')?.outcomes.get('timeout');
  expect(measure?.latency.minNonZeroValue).toBeGreaterThan(149_000);
  expect(measure?.service.totalCount).toBe(2);
  const perSecond = measurement.slices.flatMap((slice) => [...(slice?.latency.get('listModels')?.entries() ?? [])]);
  expect(perSecond.reduce((sum, [, count]) => sum + count, 0)).toBe(3);
});

test('a socket is used again after a timeout', async () => {
  await using server = await tinyServer((_message, reply, ordinal) => {
    if (ordinal > 1) json(reply, 200, {});
  });
  const schedule = [
    { index: 0, atMs: 0 },
    { index: 1, atMs: 150 },
  ];
  const { measurement } = await run(server.url, { schedule, cap: 1, timeoutMs: 100 });
  expect(counts(measurement)).toEqual({ timeout: 1, 200: 1 });
  expect(server.connections()).toBe(2);
});

test('connections that end are distinguished by when they end', async () => {
  await using server = await tinyServer((message, reply, ordinal) => {
    if (ordinal === 1) message.socket.destroy();
    else if (ordinal === 2) {
      reply.writeHead(200, { 'content-length': 100 });
      reply.write('{"half":', () => message.socket.destroy());
    } else if (ordinal === 3) message.socket.end('<h1>not HTTP</h1>\r\n\r\n');
    else json(reply, 200, {});
  });
  const { measurement } = await run(server.url, { schedule: everyMs(20, 4), cap: 1 });
  expect(counts(measurement)).toEqual({ reset: 1, truncated: 1, malformed: 1, 200: 1 });
});

test('a port without a server counts as refused, quickly', async () => {
  const server = await tinyServer(() => {});
  await server[Symbol.asyncDispose]();
  const { measurement } = await run(server.url, { schedule: everyMs(1, 5) });
  expect(counts(measurement)).toEqual({ refused: 5 });
});

test('a warm-up is sent and counts nowhere', async () => {
  await using server = await tinyServer((_message, reply) => json(reply, 200, {}));
  const schedule = withWarmUp(100, 100, everyMs(2, 10));
  const { measurement } = await run(server.url, {
    schedule,
    startAt: performance.now() + 105,
    plan: () => ({ kind: 'request', request: request(1), done: () => {} }),
  });
  expect(measurement.warmUp).toBe(10);
  expect(counts(measurement)).toEqual({ 200: 10 });
  expect(server.paths).toHaveLength(20);
});

test('what is dropped is counted as scheduled', async () => {
  await using server = await tinyServer((_message, reply) => json(reply, 200, {}));
  const { measurement } = await run(server.url, {
    schedule: everyMs(1, 4),
    plan: () => ({ kind: 'dropped', operation: 'sendMessage' }),
  });
  expect(measurement.operations.get('sendMessage')).toMatchObject({ sent: 0, dropped: 4 });
  expect(measurement.slices[0]?.scheduled).toBe(4);
});

test('a run that is aborted ends at once, and reports what was under way', async () => {
  await using server = await tinyServer(() => {});
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 60);
  const { measurement, unfinished } = await run(server.url, { schedule: everyMs(20, 1000), signal: controller.signal });
  expect(unfinished).toBeGreaterThan(0);
  expect(unfinished).toBe(measurement.operations.get('listModels')?.sent);
});

test('a target that stops answering ends the run before the memory of the generator does', async () => {
  await using server = await tinyServer(() => {});
  const { unfinished, isSwamped } = await run(server.url, {
    schedule: everyMs(0, 200_000),
    cap: 2,
    timeoutMs: 60_000,
  });
  expect({ unfinished, isSwamped }).toEqual({ unfinished: 100_000, isSwamped: true });
});

test('a run that ends with thousands of requests waiting sends none of them', async () => {
  const ending = new AbortController();
  const { signal } = ending;
  await using server = await tinyServer(() => {});
  const { unfinished, waited } = await run(server.url, {
    schedule: everyMs(0, 5000),
    cap: 2,
    signal,
    plan: (index) => {
      if (index === 4999) setTimeout(() => ending.abort(), 100);
      return { kind: 'request', request: request(index + 1, 60_000), done: () => {} };
    },
  });
  expect({ unfinished, waited }).toEqual({ unfinished: 5000, waited: 4998 });
  expect(server.paths.length).toBeLessThanOrEqual(2);
});

/** Sockets to a target that answers at once, in virtual time; `departures` are the instants at which requests left. */
function instantSockets(maxPerSecond: number, now: () => number) {
  const departures: number[] = [];
  const cap = createRateCap(maxPerSecond, { now, sleep: () => new Promise(() => {}) });
  const pool: SocketPool = {
    send(_request, sent, done) {
      cap.admit(() => {
        departures.push(now());
        sent(now());
        done({ outcome: 200, headers: () => ({}), body: [] }, now());
        return true;
      });
      return () => {};
    },
    heldMs: cap.waitMs,
    stats: () => ({ cap: 1, peak: 1, waited: 0 }),
    close: () => {},
  };
  return { pool, departures };
}

test('a process that was stopped for five seconds drops what is overdue instead of exceeding the limit', async () => {
  let now = 0;
  const stopAt = 2000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const { pool, departures } = instantSockets(50, () => now);
  const { measurement } = await run('http://127.0.0.1:1', {
    schedule: everyMs(25, 400),
    sockets: pool,
    startAt: 0,
    pacer(atMs, wake) {
      const isStopped = now < stopAt && atMs >= stopAt;
      now = isStopped ? now + 5000 : Math.max(now, atMs);
      const turn = setImmediate(wake);
      return () => clearImmediate(turn);
    },
  });
  vi.restoreAllMocks();
  const inASecondFrom = departures.map((from) => departures.filter((at) => at >= from && at < from + 1000).length);
  expect(Math.max(...inASecondFrom)).toBeLessThanOrEqual(50);
  const { sent = 0, capped = 0 } = measurement.operations.get('listModels') ?? {};
  expect(sent).toBe(departures.length);
  expect(sent + capped).toBe(400);
  // Of the five seconds of 40 requests each, one second's worth could be sent.
  expect(capped).toBeGreaterThanOrEqual(150);
  expect(measurement.slices.reduce((sum, { scheduled }) => sum + scheduled, 0)).toBe(400);
});

test('a generator that is late takes no time from the target, and makes no timeout of an answer that came', async () => {
  await using server = await tinyServer((_message, reply) => setTimeout(() => json(reply, 200, {}), 100));
  const late = await run(server.url, {
    schedule: everyMs(0, 3),
    startAt: performance.now() - 5000,
    timeoutMs: 1000,
  });
  expect(counts(late.measurement)).toEqual({ 200: 3 });

  const { pool } = instantSockets(Number.POSITIVE_INFINITY, () => performance.now());
  const answer = { outcome: 200, headers: () => ({}), body: [] } as const;
  const { measurement } = await run('http://127.0.0.1:1', {
    schedule: everyMs(0, 1),
    timeoutMs: 100,
    sockets: {
      ...pool,
      send(_request, sent, done) {
        sent(performance.now());
        setTimeout(() => {
          const stoppedAt = performance.now();
          while (performance.now() < stoppedAt + 300); // like a process that is stopped
          setImmediate(() => done(answer, performance.now()));
        }, 10);
        return () => done({ ...answer, outcome: 'timeout' }, performance.now());
      },
    },
  });
  expect(counts(measurement)).toEqual({ 200: 1 });
});

test('answers are read while thousands of requests are overdue', async () => {
  const { pool } = instantSockets(Number.POSITIVE_INFINITY, () => performance.now());
  let sent = 0;
  let sentBeforeAnAnswer = 0;
  const { measurement } = await run('http://127.0.0.1:1', {
    schedule: everyMs(0, 5000),
    sockets: {
      ...pool,
      send(_request, leaves, done) {
        leaves(performance.now());
        sent += 1;
        setImmediate(() => {
          sentBeforeAnAnswer ||= sent;
          done({ outcome: 200, headers: () => ({}), body: [] }, performance.now());
        });
        return () => {};
      },
    },
  });
  expect(counts(measurement)).toEqual({ 200: 5000 });
  expect(sentBeforeAnAnswer).toBeLessThan(100);
});

test('what is dropped because of the limit gives its chat back', async () => {
  const given: unknown[] = [];
  const { pool } = instantSockets(2, () => 0);
  await run('http://127.0.0.1:1', {
    schedule: everyMs(0, 5),
    sockets: pool,
    plan: (index) => ({ kind: 'request', request: request(index + 1), done: (outcome) => given.push(outcome) }),
  });
  expect(given).toEqual([200, 200, 'unsent', 'unsent', 'unsent']);
});
