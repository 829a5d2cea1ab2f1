import { createServer as createSecureServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import type { HttpRequest } from '../../core/http.ts';
import { listen } from '../../testing/network/network-servers.ts';
import { selfSigned } from '../../testing/network/certificates.ts';
import { type Arrived, openSockets, type SocketPool } from './sockets.ts';
import { json, tinyServer } from '../../testing/network/tiny-server.ts';

const get: HttpRequest = { method: 'GET', path: '/x', headers: { accept: 'application/json' }, timeoutMs: 1000 };

function sockets(url: string, cap = 1): SocketPool {
  const pool = openSockets({ baseUrl: url }, cap, 1000);
  onTestFinished(() => pool.close());
  return pool;
}

function send(pool: SocketPool, request = get): Promise<Arrived> {
  return new Promise((resolve) => pool.send(request, () => {}, resolve));
}

test('many connections read at once, and none reads what is of another', async () => {
  await using server = await tinyServer((message, reply) => json(reply, 200, (message.url ?? '').repeat(9000)));
  const pool = sockets(server.url, 20);
  const paths = Array.from({ length: 60 }, (_, index) => `/${index}`);
  const arrived = await Promise.all(paths.map((path) => send(pool, { ...get, path })));
  const bodies = arrived.map(({ body }): unknown => JSON.parse(Buffer.concat(body).toString()));
  expect(bodies).toEqual(paths.map((path) => path.repeat(9000)));
  expect(server.connections()).toBe(20);
});

test('a body is sent with its length, in bytes', async () => {
  await using server = await tinyServer((message, reply) => json(reply, 200, message.headers));
  const { body } = await send(sockets(server.url), { ...get, method: 'POST', body: '{"message":"é"}' });
  expect(JSON.parse(Buffer.concat(body).toString())).toMatchObject({ 'content-length': '16' });
});

test('headers have names in lower case, and a repeated one has all its values', async () => {
  await using server = await tinyServer((_message, reply) => {
    reply.setHeader('X-Two', ['a', 'b']);
    reply.setHeader('X-One', ' c: d ');
    json(reply, 200, {});
  });
  const { headers } = await send(sockets(server.url));
  expect(headers()).toMatchObject({ 'x-one': 'c: d', 'x-two': ['a', 'b'], 'content-type': 'application/json' });
});

test('a connection that its server ends between two requests is made anew', async () => {
  await using server = await tinyServer((message, reply) => {
    json(reply, 200, {});
    reply.on('finish', () => message.socket.end());
  });
  const pool = sockets(server.url);
  await send(pool);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await send(pool)).toMatchObject({ outcome: 200 });
  expect(server.connections()).toBe(2);
});

test('over TLS, where the certificate is trusted and only there', async ({ skip }) => {
  const pair = selfSigned(2);
  if (pair === undefined) return skip('needs openssl to make a certificate');
  const body = 'ü'.repeat(40_000);
  const { port } = new URL(await listen(createSecureServer(pair, (_message, reply) => json(reply, 200, { body }))));
  const url = `https://localhost:${port}/base`;
  expect(await send(sockets(url))).toMatchObject({ outcome: 'refused' });
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, pair.cert]);
  onTestFinished(() => setDefaultCACertificates(before));
  const pool = sockets(url, 4);
  const arrived = await Promise.all(Array.from({ length: 12 }, () => send(pool)));
  expect(arrived.map((one) => JSON.parse(Buffer.concat(one.body).toString()))).toEqual(arrived.map(() => ({ body })));
});

test('what closes forgets what is under way', async () => {
  await using server = await tinyServer(() => {});
  const pool = sockets(server.url);
  const heard: Arrived[] = [];
  for (let index = 0; index < 3; index += 1)
    pool.send(
      get,
      () => {},
      (arrived) => void heard.push(arrived),
    );
  pool.close();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(heard).toEqual([]);
  expect(server.paths.length).toBeLessThan(2);
});

test('phases: a connection counts for the request that opened it', async () => {
  await using server = await tinyServer((message, reply) => {
    if (message.url === '/late') setTimeout(() => json(reply, 200, {}), 40);
    else {
      reply.writeHead(200, { 'content-type': 'application/json' }).write('{');
      setTimeout(() => reply.end('}'), 40);
    }
  });
  const pool = sockets(server.url.replace('127.0.0.1', 'localhost'));
  const slowly = await send(pool);
  const late = await send(pool, { ...get, path: '/late' });
  expect([slowly, late].map(({ phases = {} }) => Object.keys(phases))).toEqual([
    ['dns', 'connect', 'firstByte', 'receive'],
    ['firstByte', 'receive'],
  ]);
  expect(slowly.phases?.receive).toBeGreaterThan(slowly.phases?.firstByte ?? Infinity);
  expect(late.phases?.firstByte).toBeGreaterThan(late.phases?.receive ?? Infinity);
});

test('phases: TLS counts by itself, and what was not answered has none', async ({ skip }) => {
  const pair = selfSigned(2);
  if (pair === undefined) return skip('needs openssl to make a certificate');
  const { port } = new URL(await listen(createSecureServer(pair, (_message, reply) => json(reply, 200, {}))));
  const pool = openSockets({ baseUrl: `https://127.0.0.1:${port}`, tls: { insecure: true } }, 1, 1000);
  onTestFinished(() => pool.close());
  const { phases = {} } = await send(pool);
  expect(Object.keys(phases)).toEqual(['connect', 'tls', 'firstByte', 'receive']);
  expect(Object.values(phases).every((ms) => ms >= 0)).toBe(true);
  expect((await send(sockets('http://127.0.0.1:1'))).phases).toBeUndefined();
});
