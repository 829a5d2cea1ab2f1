import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createPollClock } from './poll-clock.ts';

/** Two connections on loopback: the ends of the server, and those of the client. */
async function twoConnections(): Promise<readonly { readonly far: Socket; readonly near: Socket }[]> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port }: AddressInfo = Object(server.address());
  const pairs: { far: Socket; near: Socket }[] = [];
  for (const _ of [1, 2]) {
    const near = connect(port, '127.0.0.1');
    const [far] = await once(server, 'connection');
    pairs.push({ far, near });
  }
  onTestFinished(() => {
    for (const { far, near } of pairs) for (const socket of [far, near]) socket.destroy();
    server.close();
  });
  return pairs;
}

test('answers that wait at the same time have the same instant, however long the first one takes', async () => {
  const readableAt = createPollClock();
  const pairs = await twoConnections();
  const instants: number[] = [];
  for (const { near } of pairs) {
    near.on('data', () => {
      instants.push(readableAt(0));
      busy();
    });
  }
  for (const _ of ['a poll', 'a later poll']) {
    for (const { far } of pairs) far.write('answer');
    await Promise.all(pairs.map(({ near }) => once(near, 'data')));
  }
  expect(instants).toHaveLength(4);
  expect(new Set(instants).size).toBe(2);
  expect(instants[2]).toBeGreaterThan(instants[0] ?? Infinity);
});

/** Some milliseconds in which the event loop does not turn. */
function busy(): void {
  const until = performance.now() + 2;
  while (performance.now() < until);
}

test('an answer to a request that was sent after the instant of a poll has a later one', () => {
  const readableAt = createPollClock();
  const first = readableAt(0);
  busy();
  expect(readableAt(0)).toBe(first);
  const sentAt = performance.now();
  busy();
  expect(readableAt(sentAt)).toBeGreaterThanOrEqual(sentAt + 2);
});

test('a poll that finds more sockets than one look gives looks again', () => {
  const readableAt = createPollClock();
  const instants = Array.from({ length: 1024 }, () => readableAt(0));
  busy();
  instants.push(readableAt(0));
  expect(new Set(instants.slice(0, 1024)).size).toBe(1);
  expect(instants[1024]).toBeGreaterThanOrEqual((instants[0] ?? Infinity) + 2);
});
