import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { openTunnel, type Proxy } from './proxy.ts';

/** Asks a proxy that answers each CONNECT with that status for a tunnel, and says whether one was opened. */
async function opens(status: number): Promise<boolean> {
  const server = createServer();
  server.on('connect', (_request, socket) => socket.end(`HTTP/1.1 ${status} Answer\r\n\r\n`));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = addressOf(server.address());
  const url = new URL(`http://127.0.0.1:${port}`);
  const proxy: Proxy = { url, name: url.origin, headers: {}, kind: 'tunnel', from: 'a test' };
  try {
    (await openTunnel(proxy, 'https://api.example.com')).destroy();
    return true;
  } catch (error) {
    expect(error).toHaveProperty('message', expect.stringContaining(`(${status})`));
    return false;
  } finally {
    server.close();
  }
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address;
}

test('any success opens a tunnel, and nothing else does', async () => {
  expect(await Promise.all([200, 204, 299].map(opens))).toEqual([true, true, true]);
  expect(await Promise.all([300, 403, 407, 502].map(opens))).toEqual([false, false, false, false]);
});
