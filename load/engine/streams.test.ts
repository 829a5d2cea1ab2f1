import { constants, createServer } from 'node:http2';
import { createServer as createPlainServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Principal, Route } from '../../core/target.ts';
import { listen } from '../../testing/network/network-servers.ts';
import { createMeasurement } from '../measure/measurement.ts';
import { listRequest } from '../schedule/load-request.ts';
import { runClosed } from './closed-engine.ts';
import { driveStreams } from './closed-streams.ts';
import { type Arrived, openSockets, type SocketPool } from './sockets.ts';

const alice: Principal = { name: 'alice', key: 'key-of-alice', variable: '$ALICE', adminOf: ['org'] };

function sent(pool: SocketPool, limit: number): Promise<Arrived> {
  const { request } = listRequest('listModels', alice, 'org', limit, 2000);
  return new Promise((resolve) => {
    const giveUp = pool.send(request, () => {}, resolve);
    setTimeout(giveUp, 3000).unref();
  });
}

async function eight(route: Route) {
  const pool = openSockets(route, 8, 1000);
  const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => sent(pool, index + 1)));
  pool.close();
  return answers.map(({ outcome, headers, body }) => [outcome, headers()['x-path'], Buffer.concat(body).toString()]);
}

const expected = Array.from({ length: 8 }, (_, index) => [
  200,
  `/base/api/public/organizations/org/models?limit=${index + 1}`,
  '{}',
]);

test('the open engine sends over streams of one connection', async () => {
  let sessions = 0;
  const server = createServer();
  server.on('session', () => {
    sessions += 1;
  });
  server.on('stream', (stream, headers) => {
    setTimeout(() => {
      stream.respond({ ':status': 200, 'x-path': headers[':path'] });
      stream.end('{}');
    }, 20);
  });
  const baseUrl = `${await listen(server)}/base`;
  expect(await eight({ baseUrl, http2: 'always' })).toEqual(expected);
  expect(sessions).toBe(1);
});

test('phases: a connection counts for the request that opened it, and the first byte comes with the header', async () => {
  const server = createServer();
  server.on('stream', (stream, headers) => {
    const isLate = headers[':path']?.endsWith('limit=2') === true;
    setTimeout(() => stream.respond({ ':status': 200 }), isLate ? 40 : 0);
    setTimeout(() => stream.end('{}'), 40);
  });
  const baseUrl = (await listen(server)).replace('127.0.0.1', 'localhost');
  const pool = openSockets({ baseUrl, http2: 'always' }, 8, 1000);
  const [slowly, shared] = await Promise.all([sent(pool, 1), sent(pool, 1)]);
  const late = await sent(pool, 2);
  pool.close();
  expect([slowly, shared, late].map(({ phases = {} }) => Object.keys(phases))).toEqual([
    ['dns', 'connect', 'firstByte', 'receive'],
    ['firstByte', 'receive'],
    ['firstByte', 'receive'],
  ]);
  expect(slowly.phases?.receive).toBeGreaterThan(slowly.phases?.firstByte ?? Infinity);
  expect(late.phases?.firstByte).toBeGreaterThan(late.phases?.receive ?? Infinity);
  for (const { phases = {} } of [slowly, shared, late])
    expect(
      Object.values(phases).every((ms) => ms >= 0),
      JSON.stringify(phases),
    ).toBe(true);
});

test('the limit of the load counts a request that is sent again because the server has not processed it', async () => {
  let arrived = 0;
  let admitted = 0;
  const server = createServer();
  server.on('stream', (stream) => {
    arrived += 1;
    stream.on('error', () => {});
    stream.close(constants.NGHTTP2_REFUSED_STREAM);
  });
  const route: Route = { baseUrl: await listen(server), http2: 'always' };
  const admit = (leave: (at: number) => boolean): void => void (leave(0) && (admitted += 1));
  const pool = openSockets(route, 8, 1000, { admit, waitMs: () => 0 });
  await Promise.all([sent(pool, 1), sent(pool, 2)]);
  pool.close();
  expect([arrived, admitted]).toEqual([4, 4]);
});

test('where the server has no HTTP/2, auto sends over HTTP/1.1, and always fails', async () => {
  const server = createPlainServer((message, reply) => reply.writeHead(200, { 'x-path': message.url }).end('{}'));
  const baseUrl = `${await listen(server)}/base`;
  expect(await eight({ baseUrl, http2: 'auto' })).toEqual(expected);
  for (const [outcome] of await eight({ baseUrl, http2: 'always' })) expect(outcome).not.toBe(200);
});

test('a closed load over HTTP/2 keeps its streams busy, and counts what is late or unfinished', async () => {
  const server = createServer();
  let streams = 0;
  let most = 0;
  let isAsleep = false;
  server.on('stream', (stream) => {
    stream.on('error', () => {});
    stream.on('close', () => (streams -= 1));
    streams += 1;
    most = Math.max(most, streams);
    if (isAsleep) return;
    stream.respond({ ':status': 200 });
    setTimeout(() => stream.end('{}'), 5);
  });
  const baseUrl = await listen(server);
  const over = new AbortController();
  const outcomes: Arrived['outcome'][] = [];
  const measurement = createMeasurement(1000);
  const ended = runClosed({
    route: { baseUrl, http2: 'always' },
    connections: 6,
    plan: () => ({ kind: 'request', request: listRequest('listModels', alice, 'org', 1, 200), done: () => {} }),
    measurement,
    warmUpMs: 0,
    durationMs: 60_000,
    gate: () => 0,
    listener: (_request, { outcome }) => void outcomes.push(outcome),
    signal: over.signal,
  });
  await expect.poll(() => outcomes.length).toBeGreaterThan(30);
  isAsleep = true;
  await expect.poll(() => outcomes.filter((outcome) => outcome === 'timeout').length).toBeGreaterThanOrEqual(6);
  over.abort();
  const { unfinished } = await ended;
  expect(most).toBe(6);
  expect(measurement.operations.get('listModels')?.sent).toBe(outcomes.length + unfinished);
});

test('a closed load that is stopped leaves no timer behind', async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  const baseUrl = await listen(createPlainServer(() => {}));
  const timeoutMs = 54_321;
  const started = vi.spyOn(globalThis, 'setTimeout');
  const cleared = vi.spyOn(globalThis, 'clearTimeout');
  let unfinished = 0;
  const driver = driveStreams({ baseUrl }, 3, {
    next: () => ({
      kind: 'request',
      request: listRequest('listModels', alice, 'org', 1, timeoutMs),
      done: () => {},
    }),
    gate: () => 0,
    sent: () => {},
    over: () => {},
    closed: () => {},
    unfinished: () => void (unfinished += 1),
  });
  driver.stop();
  await driver.ended;
  const timers = started.mock.results.filter((_, index) => started.mock.calls[index]?.[1] === timeoutMs);
  expect(timers).toHaveLength(3);
  expect(cleared.mock.calls.map(([timer]) => timer)).toEqual(
    expect.arrayContaining(timers.map(({ value }): unknown => value)),
  );
  expect(unfinished).toBe(3);
});
