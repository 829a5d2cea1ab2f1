import { createServer, type RequestListener } from 'node:http';
import { createServer as createSocketServer, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { TransportError } from '../http.ts';
import { networkDeployment } from './network.ts';
import { connect, failing, listen, ok, serve, speak, text } from '../../testing/network/network-servers.ts';

describe('what is sent', () => {
  test('no cookie, no accept-encoding, nothing that the caller did not give', async () => {
    const url = await serve((request, response) => {
      response.setHeader('set-cookie', 'session=1');
      response.end(JSON.stringify(request.headers));
    });
    const send = connect(url);
    await send();
    const sent: unknown = JSON.parse(text((await send({ headers: { authorization: 'Bearer k' } })).body));
    expect(sent).toEqual({ host: new URL(url).host, connection: 'keep-alive', authorization: 'Bearer k' });
  });

  test('the path, byte for byte, below that of the base URL', async () => {
    const url = await serve((request, response) => response.end(request.url));
    const send = connect(`${url}/base/path/`);
    for (const path of ['/a%2Fb/%00/..%2f', '/../x/./y//z', "/?limit=1&cursor=a%20b;c='|", '/%E4%BD%A0']) {
      expect(text((await send({ path })).body)).toBe(`/base/path${path}`);
    }
  });

  test('a body, as text or bytes', async () => {
    const url = await serve((request, response) => request.pipe(response));
    const send = connect(url);
    expect(text((await send({ method: 'POST', body: '{"message":"你好"}' })).body)).toBe('{"message":"你好"}');
    const bytes = new Uint8Array([0, 255, 128]);
    expect((await send({ method: 'POST', body: bytes })).body).toEqual(bytes);
  });

  test('no key to where a redirect points', async () => {
    let elsewhere = 0;
    const other = await serve((_request, response) => {
      elsewhere += 1;
      response.end();
    });
    const url = await serve((_request, response) => response.writeHead(307, { location: `${other}/x` }).end());
    const response = await connect(url)({ headers: { authorization: 'Bearer k' } });
    expect(response).toMatchObject({ status: 307, headers: { location: `${other}/x` } });
    expect(elsewhere).toBe(0);
  });

  test('not at all when it is no HTTP: that is not the failure of a target', async () => {
    const send = connect(await serve((_request, response) => response.end()));
    await expect(send({ headers: { 'x-a': 'line\nbreak' } })).rejects.not.toHaveProperty('failure');
    expect((await send()).status).toBe(200);
  });
});

describe('connections', () => {
  /** Counts connections and remembers the method that each request came with and the connection it came over. */
  async function counting(listener: RequestListener) {
    const seen: { method: string | undefined; connection: number }[] = [];
    const numbers = new Map<Socket, number>();
    let open = 0;
    let mostOpen = 0;
    const server = createServer((request, response) => {
      seen.push({ method: request.method, connection: numbers.get(request.socket) ?? -1 });
      return listener(request, response);
    });
    server.on('connection', (socket: Socket) => {
      numbers.set(socket, numbers.size);
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      socket.on('close', () => (open -= 1));
    });
    const url = await listen(server);
    return { send: connect(url), seen, connections: () => numbers.size, mostOpen: () => mostOpen };
  }

  /** Each connection answers once; at its second request it is reset, after `delayMs`. */
  async function answeringOnce(delayMs = 0) {
    let requests = 0;
    const url = await listen(
      createSocketServer((socket) => {
        let isAnswered = false;
        socket.on('data', () => {
          requests += 1;
          if (isAnswered) setTimeout(() => socket.resetAndDestroy(), delayMs);
          else socket.write(ok('{}'));
          isAnswered = true;
        });
      }),
    );
    return { send: connect(url), requests: () => requests };
  }

  test('a GET reuses one, a POST and a DELETE never do', async () => {
    const { send, seen } = await counting((_request, response) => response.end('{}'));
    for (const method of ['GET', 'GET', 'POST', 'DELETE', 'POST', 'GET', 'GET'] as const) await send({ method });
    const numbers = seen.map(({ connection }) => connection);
    expect(numbers.slice(0, 5)).toEqual([0, 0, 1, 2, 3]);
    expect(Math.max(...numbers)).toBe(3);
  });

  test('a POST that is repeatable reuses one, and is sent again over a new one where that ends without an answer', async () => {
    const { send, seen } = await counting((_request, response) => response.end('{}'));
    for (const isRepeatable of [true, true, false, true]) await send({ method: 'POST', isRepeatable });
    expect(seen.map(({ connection }) => connection)).toEqual([0, 0, 1, 0]);
    const closing = connect(await speak(ok('{}'), (socket) => socket.end()));
    for (let count = 0; count < 20; count += 1)
      expect((await closing({ method: 'POST', isRepeatable: true })).status).toBe(200);
  });

  test('a body in chunks arrives whole, without its length', async () => {
    const bodies: string[] = [];
    const { send } = await counting((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        bodies.push(`${request.headers['content-length']} ${parts.length} ${Buffer.concat(parts).toString()}`);
        response.end('{}');
      });
    });
    await send({ method: 'POST', body: '🙂é🙂é', chunks: 3 });
    await send({ method: 'POST', body: '🙂é🙂é' });
    expect(bodies).toEqual(['undefined 3 🙂é🙂é', '12 1 🙂é🙂é']);
  });

  test('idle ones take turns: a GET does not follow a write on its connection, where one process of several may answer', async () => {
    const { send, seen } = await counting((_request, response) => response.end('{}'));
    for (const method of ['GET', 'DELETE', 'GET', 'GET', 'GET'] as const) await send({ method });
    expect(seen.map(({ connection }) => connection)).toEqual([0, 1, 0, 1, 0]);
  });

  test('a request that follows another one goes out on its connection', async () => {
    const { send, seen } = await counting((_request, response) => response.end('{}'));
    for (const method of ['GET', 'DELETE', 'GET'] as const) await send({ method });
    for (const method of ['POST', 'POST', 'GET'] as const) await send({ method, follows: true });
    await send({ method: 'GET' });
    expect(seen.map(({ connection }) => connection)).toEqual([0, 1, 0, 0, 0, 0, 1]);
  });

  test('a write that follows another request is sent again only if it is repeatable', async () => {
    const { send, requests } = await answeringOnce();
    await send();
    await expect(send({ method: 'POST', follows: true })).rejects.toThrow(TransportError);
    await send();
    expect((await send({ method: 'POST', follows: true, isRepeatable: true })).status).toBe(200);
    expect(requests()).toBe(5);
  });

  test('few are kept idle', async () => {
    let open = 0;
    const { send, connections } = await counting((request, response) => {
      open += 1;
      request.socket.once('close', () => (open -= 1));
      response.end('{}');
    });
    for (let count = 0; count < 12; count += 1) await send({ method: 'POST' });
    await expect.poll(() => open).toBe(8);
    expect(connections()).toBe(12);
  });

  test('a reused one that ends without an answer: the GET is sent again, over a new one', async () => {
    const { send, requests } = await answeringOnce();
    for (let count = 0; count < 3; count += 1) expect((await send()).status).toBe(200);
    expect(requests()).toBe(5);
  });

  test('a reused one that ends late without an answer fails, and nothing is sent again', async () => {
    const { send, requests } = await answeringOnce(1200);
    await send({ method: 'POST', isRepeatable: true });
    await expect(send({ method: 'POST', isRepeatable: true })).rejects.toThrow(TransportError);
    expect(requests()).toBe(2);
  });

  test('closed after each answer without saying so', async () => {
    const url = await speak(ok('{}'), (socket) => socket.end());
    const send = connect(url);
    for (let count = 0; count < 50; count += 1) {
      expect((await send({ method: count % 3 === 0 ? 'POST' : 'GET' })).status).toBe(200);
    }
  });

  test('closed after each answer, and said so', async () => {
    const { send, connections } = await counting((_request, response) =>
      response.setHeader('connection', 'close').end(),
    );
    for (let count = 0; count < 5; count += 1) await send();
    expect(connections()).toBe(5);
  });

  test('200 requests at once, over a bounded number of sockets', async () => {
    const { send, mostOpen } = await counting((request, response) => setTimeout(() => response.end(request.url), 5));
    const paths = Array.from({ length: 200 }, (_, index) => `/${index}`);
    const bodies = await Promise.all(
      paths.map(async (path, index) => text((await send({ path, method: index % 4 === 0 ? 'POST' : 'GET' })).body)),
    );
    expect(bodies).toEqual(paths);
    expect(mostOpen()).toBeLessThanOrEqual(40); // 32, and those on their way out
  });

  test('a failure leaves nothing behind for the next request', async () => {
    const { send } = await counting((request, response) => {
      if (request.url === '/reset') request.socket.resetAndDestroy();
      else response.end('{}');
    });
    const failures = await Promise.allSettled(Array.from({ length: 64 }, () => send({ path: '/reset' })));
    expect(failures.every(({ status }) => status === 'rejected')).toBe(true);
    expect((await send()).status).toBe(200);
  });

  test('closing ends what is under way', async () => {
    const { deployment, close } = networkDeployment({ baseUrl: await speak('') });
    const pending = deployment({ method: 'GET', path: '/', headers: {}, timeoutMs: 60_000 });
    setTimeout(close, 50);
    await expect(pending).rejects.toEqual(failing('reset'));
  });
});
