import { createServer } from 'node:http2';
import { createServer as createPlainServer } from 'node:http';
import { expect, test } from 'vitest';
import type { Principal, Route } from '../../core/target.ts';
import { listen } from '../../testing/network/network-servers.ts';
import { listRequest } from '../schedule/load-request.ts';
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

test('where the server has no HTTP/2, auto sends over HTTP/1.1, and always fails', async () => {
  const server = createPlainServer((message, reply) => reply.writeHead(200, { 'x-path': message.url }).end('{}'));
  const baseUrl = `${await listen(server)}/base`;
  expect(await eight({ baseUrl, http2: 'auto' })).toEqual(expected);
  for (const [outcome] of await eight({ baseUrl, http2: 'always' })) expect(outcome).not.toBe(200);
});
