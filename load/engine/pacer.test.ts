import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { timerPacer } from './pacer.ts';

function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('after a wait, what has arrived is read before anything is sent, such as the end of a kept connection', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server without a port');
  const accepted = new Promise<Socket>((resolve) => void server.once('connection', resolve));
  const client = connect(address.port, '127.0.0.1');
  const kept = await accepted;
  const heard: string[] = [];
  client.on('data', () => heard.push('arrived'));
  const woken = new Promise<void>((resolve) => {
    timerPacer(performance.now() + 10, () => {
      heard.push('woken');
      resolve();
    });
  });
  kept.write('x');
  busyFor(30); // the wait is over, and the byte has arrived
  await woken;
  expect(heard).toEqual(['arrived', 'woken']);
  client.destroy();
  server.close();
});

test('a cancelled wake does not come', async () => {
  let woken = 0;
  const cancel = timerPacer(performance.now() + 5, () => (woken += 1));
  cancel();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(woken).toBe(0);
});
