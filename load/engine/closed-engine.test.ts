import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { expect, test } from 'vitest';
import type { Principal } from '../../core/target.ts';
import { type ClosedRun, runClosed } from './closed-engine.ts';
import { listRequest, type LoadRequest } from '../schedule/load-request.ts';
import { createMeasurement, type Measurement } from '../measure/measurement.ts';
import type { Arrived } from './sockets.ts';
import { json, tinyServer } from '../../testing/network/tiny-server.ts';

const alice: Principal = { name: 'alice', key: 'key-of-alice', variable: '$ALICE', adminOf: ['org'] };

/** The requests that a run sends, however long they take, unless it has a duration. */
const requests = 40;

async function run(baseUrl: string, options: Partial<ClosedRun> & { readonly timeoutMs?: number } = {}) {
  const measurement = createMeasurement(1000);
  const heard: { readonly request: LoadRequest; readonly arrived: Arrived }[] = [];
  const controller = new AbortController();
  const most = options.durationMs === undefined ? requests : Infinity;
  let passed = 0;
  const result = await runClosed({
    route: { baseUrl },
    connections: 2,
    plan: (index) => ({
      kind: 'request',
      request: listRequest('listModels', alice, 'org', index + 1, options.timeoutMs ?? 2000),
      done: () => {},
    }),
    measurement,
    warmUpMs: 0,
    durationMs: 60_000,
    gate: () => {
      if (passed >= most) return 10;
      passed += 1;
      return 0;
    },
    listener: (request, arrived) => {
      if (heard.push({ request, arrived }) >= most) controller.abort();
    },
    signal: controller.signal,
    ...options,
  });
  return { measurement, heard, ...result };
}

function counts({ operations }: Measurement): Record<string, number> {
  const { outcomes } = operations.get('listModels') ?? { outcomes: new Map() };
  return Object.fromEntries([...outcomes].map(([outcome, { count }]) => [String(outcome), count]));
}

function sent({ operations }: Measurement): number {
  return operations.get('listModels')?.sent ?? 0;
}

/** A server that speaks HTTP by itself: `say` gets each request as it comes, and the connection's ordinal. */
async function rawServer(say: (request: number, write: (text: string | Buffer, then?: 'close') => void) => void) {
  let requests = 0;
  const server: Server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => {
      requests += 1;
      say(requests, (text, then) => (then === 'close' ? socket.end(text) : socket.write(text)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server without a port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests: () => requests,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}

test.concurrent('the pinned version of autocannon is the one that this was built on', () => {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(manifest).toMatchObject({ dependencies: { autocannon: '9.0.0' } });
  const installed: unknown = JSON.parse(
    readFileSync(new URL('../../node_modules/autocannon/package.json', import.meta.url), 'utf8'),
  );
  expect(installed).toMatchObject({ version: '9.0.0' });
});

test.concurrent('every request that is sent is another one, is counted once, and is answered', async () => {
  await using server = await tinyServer((_message, reply, ordinal) => json(reply, ordinal % 3 === 0 ? 429 : 200, {}));
  const { measurement, heard, closes, unfinished } = await run(server.url);
  expect(sent(measurement)).toBe(server.paths.length);
  expect(new Set(server.paths).size).toBe(server.paths.length);
  expect(heard).toHaveLength(server.paths.length);
  expect(Object.values(counts(measurement)).reduce((a, b) => a + b, 0)).toBe(server.paths.length);
  expect(counts(measurement)[429] ?? 0).toBe(Math.floor(server.paths.length / 3));
  expect([closes, unfinished]).toEqual([0, 0]);
  expect(server.connections()).toBe(2);
});

test.concurrent('a slow request is kept with the trace that the target saw', async () => {
  const traces: string[] = [];
  await using server = await tinyServer((message, reply, ordinal) => {
    traces.push(String(message.headers['traceparent']).slice(3, 35));
    setTimeout(() => json(reply, ordinal === 5 ? 503 : 200, {}), ordinal === 5 ? 120 : 1);
  });
  const { measurement } = await run(server.url);
  const late = measurement.slowest.all().find(({ outcome }) => outcome === 503);
  expect(late).toMatchObject({ operation: 'listModels', traceId: traces[4] });
  expect(late?.latencyMs).toBeGreaterThan(119);
});

test.concurrent('characters that lie across two packets stay whole', async () => {
  const owl = Buffer.from('{"owl":"🦉"}');
  await using server = await rawServer((_request, write) => {
    write(`HTTP/1.1 200 OK\r\ncontent-length: ${owl.length}\r\n\r\n`);
    write(owl.subarray(0, 10));
    setTimeout(() => write(owl.subarray(10)), 5);
  });
  const { heard } = await run(server.url);
  expect(heard.length).toBeGreaterThan(0);
  for (const { arrived } of heard) expect(Buffer.concat(arrived.body).toString()).toBe('{"owl":"🦉"}');
});

test.concurrent('connections that end unannounced are counted, and do not mix up whose answer is whose', async () => {
  await using server = await tinyServer((message, reply, ordinal) => {
    if (ordinal % 5 === 0) message.socket.destroy();
    else json(reply, 200, { path: message.url });
  });
  const { measurement, heard, closes } = await run(server.url);
  expect(closes).toBe(counts(measurement)['reset']);
  expect(closes).toBeGreaterThan(0);
  for (const { request, arrived } of heard) {
    if (arrived.outcome === 200) {
      expect(JSON.parse(Buffer.concat(arrived.body).toString())).toEqual({ path: request.request.path });
    }
  }
});

test.concurrent('a server that says it closes each connection is no fault, and loses nothing', async () => {
  await using server = await tinyServer((_message, reply) => {
    reply.setHeader('connection', 'close');
    json(reply, 200, {});
  });
  const { measurement, closes } = await run(server.url);
  expect(closes).toBe(0);
  expect(counts(measurement)).toEqual({ 200: server.paths.length });
});

test.concurrent('an answer without a length ends with its connection', async () => {
  await using server = await rawServer((_request, write) =>
    write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{}', 'close'),
  );
  const { measurement, closes } = await run(server.url);
  expect(Object.keys(counts(measurement))).toEqual(['200']);
  expect(closes).toBe(0);
});

test.concurrent('an answer that breaks off is truncated, and the next one is read afresh', async () => {
  await using server = await rawServer((request, write) =>
    request % 2 === 1
      ? write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"half":', 'close')
      : write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'),
  );
  const { measurement } = await run(server.url, { connections: 1 });
  expect(Object.keys(counts(measurement)).toSorted()).toEqual(['200', 'truncated']);
});

test.concurrent('a timeout counts, with its time, and the connection goes on', async () => {
  await using server = await tinyServer((_message, reply, ordinal) => {
    if (ordinal !== 1) setTimeout(() => json(reply, 200, {}), 5);
  });
  const { measurement, closes } = await run(server.url, { connections: 1, timeoutMs: 100 });
  expect(counts(measurement)['timeout']).toBeGreaterThan(0);
  expect(counts(measurement)[200]).toBeGreaterThan(0);
  expect(measurement.operations.get('listModels')?.outcomes.get('timeout')?.latency.maxValue).toBeGreaterThan(99_000);
  expect(closes).toBe(0);
});

test.concurrent('a port without a server counts as refused, and is not hammered', async () => {
  const server = await tinyServer(() => {});
  await server[Symbol.asyncDispose]();
  const { measurement } = await run(server.url, { connections: 1, durationMs: 1000 });
  expect(Object.keys(counts(measurement))).toEqual(['refused']);
  expect(sent(measurement)).toBeLessThan(25);
});

test.concurrent('a gate holds every connection back', async () => {
  let shutAsks = 0;
  let whileShut = 0;
  await using server = await tinyServer((_message, reply, ordinal) => {
    if (shutAsks > 0) whileShut += 1;
    if (ordinal === 4) shutAsks = 15;
    json(reply, 200, {});
  });
  const controller = new AbortController();
  let passed = 0;
  let answered = 0;
  const { measurement } = await run(server.url, {
    durationMs: 60_000,
    connections: 3,
    gate() {
      if (shutAsks > 0) shutAsks -= 1;
      else if (passed < 20) {
        passed += 1;
        return 0;
      }
      return 10;
    },
    listener() {
      answered += 1;
      if (answered === 20) controller.abort();
    },
    signal: controller.signal,
  });
  expect(whileShut, 'those that were on their way').toBeLessThan(3);
  expect(server.paths.length, 'and goes on after it').toBe(20);
  expect(sent(measurement)).toBe(20);
});

test.concurrent('a run that is aborted stops sending, and reports what was under way', async () => {
  await using server = await tinyServer(() => {});
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 50);
  const { unfinished } = await run(server.url, { durationMs: 60_000, signal: controller.signal });
  expect(unfinished).toBe(2);
});

test.concurrent('a warm-up counts nowhere', async () => {
  await using server = await tinyServer((_message, reply) => setTimeout(() => json(reply, 200, {}), 3));
  const { measurement } = await run(server.url, { warmUpMs: 500, durationMs: 500 });
  expect(measurement.warmUp).toBeGreaterThan(0);
  expect(measurement.warmUp + sent(measurement)).toBe(server.paths.length);
});
