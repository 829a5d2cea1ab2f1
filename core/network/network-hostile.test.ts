import { createServer as createSocketServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { connect, failing, listen, ok, serve, speak } from '../../testing/network/network-servers.ts';

describe('a connection that fails', () => {
  test('refused: nothing listens', async () => {
    const server = createSocketServer();
    const url = await listen(server);
    server.close();
    await expect(connect(url)()).rejects.toEqual(failing('refused', /nothing listens .*ECONNREFUSED/));
  });

  test('refused: the host name does not exist', async () => {
    await expect(connect('http://no-such-host.invalid')()).rejects.toEqual(failing('refused', /host name/));
  });

  test('refused: no TLS at an https address', async () => {
    const url = await serve((_request, response) => response.end());
    await expect(connect(url.replace('http:', 'https:'))()).rejects.toEqual(failing('refused', /TLS/));
  });

  for (const method of ['GET', 'POST', 'DELETE'] as const) {
    test(`reset: the connection ends before the answer, ${method} is sent once`, async () => {
      let requests = 0;
      const url = await listen(
        createSocketServer((socket) =>
          socket.on('data', () => {
            requests += 1;
            socket.resetAndDestroy();
          }),
        ),
      );
      await expect(connect(url)({ method })).rejects.toEqual(failing('reset', /before the answer began/));
      expect(requests).toBe(1);
    });
  }

  test('truncated: the connection ends within the headers', async () => {
    const url = await speak('HTTP/1.1 200 OK\r\nserver: x', (socket) => socket.end());
    await expect(connect(url)()).rejects.toEqual(failing('truncated', /within the headers/));
  });

  test('truncated: reset in mid-body', async () => {
    const url = await speak('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"data":', (socket) =>
      setTimeout(() => socket.resetAndDestroy(), 50),
    );
    await expect(connect(url)()).rejects.toEqual(failing('truncated', /after 8 bytes/));
  });

  test('truncated: a chunked body without its end', async () => {
    const url = await speak('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nabcd\r\n', (socket) =>
      socket.end(),
    );
    await expect(connect(url)()).rejects.toEqual(failing('truncated'));
  });

  test('malformed: a service that is not HTTP', async () => {
    const url = await speak('SSH-2.0-OpenSSH_9.6\r\n');
    await expect(connect(url)()).rejects.toEqual(failing('malformed', /not HTTP/));
  });

  test('malformed: a switch of protocols without a request for one', async () => {
    const url = await speak('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n');
    await expect(connect(url)()).rejects.toEqual(failing('malformed'));
  });

  test('timeout: a TLS handshake that never ends', async () => {
    const url = await speak('');
    await expect(connect(url.replace('http:', 'https:'))({ timeoutMs: 100 })).rejects.toEqual(
      failing('timeout', /No connection/),
    );
  });
});

describe('an answer without end', () => {
  test('too-large: headers', async () => {
    const url = await speak(`HTTP/1.1 200 OK\r\n${`x-filler: ${'x'.repeat(1000)}\r\n`.repeat(80)}\r\n`);
    await expect(connect(url)()).rejects.toEqual(failing('too-large', /headers/));
  });

  /** A server that writes as much as the other side takes in, and counts it. */
  async function pour(total: number): Promise<{ readonly url: string; readonly sent: () => number }> {
    const chunk = Buffer.from('[1,2,3],'.repeat(8192));
    let sent = 0;
    const url = await serve((request, response) => {
      if (request.url === '/announced') response.setHeader('content-length', total);
      const more = (): void => {
        while (sent < total && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    return { url, sent: () => sent };
  }

  const socketBuffers = 30_000_000; // more than two sockets ever take in unread

  test('too-large: a body that never ends is cut off at its bound', async () => {
    const { url, sent } = await pour(Infinity);
    await expect(connect(url, { maxBodyBytes: 100_000 })()).rejects.toEqual(failing('too-large', /100000 bytes/));
    expect(sent()).toBeLessThan(100_000 + socketBuffers);
  });

  test('too-large: 100 MB of JSON are taken in up to 32 MiB, and not at all when they are announced', async () => {
    const chunked = await pour(100_000_000);
    await expect(connect(chunked.url)()).rejects.toEqual(failing('too-large', /33554432 bytes/));
    expect(chunked.sent()).toBeLessThan(33_554_432 + socketBuffers);
    const announced = await pour(100_000_000);
    await expect(connect(announced.url)({ path: '/announced' })).rejects.toEqual(failing('too-large'));
    expect(announced.sent()).toBeLessThan(socketBuffers);
  });

  test('too-large: bytes that come one by one cost no more than others', async () => {
    const ones = '1\r\nx\r\n'.repeat(10_000);
    const url = await speak('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', (socket) => {
      const more = (): void => void (!socket.destroyed && socket.write(ones, more));
      more();
    });
    await expect(connect(url, { maxBodyBytes: 500_000 })()).rejects.toEqual(failing('too-large'));
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('too-large: a bomb in %s', async (coding, pack) => {
    const bomb = pack(Buffer.alloc(50_000_000));
    const url = await serve((_request, response) => response.setHeader('content-encoding', coding).end(bomb));
    await expect(connect(url, { maxBodyBytes: 1_000_000 })()).rejects.toEqual(failing('too-large', /unpacked/));
  });

  test('timeout: nothing comes', async () => {
    const url = await speak('');
    await expect(connect(url)({ timeoutMs: 100 })).rejects.toEqual(failing('timeout', /No answer began within 100 ms/));
  });

  test('timeout: one byte every 50 ms', async () => {
    const url = await speak('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', (socket) => {
      const timer = setInterval(() => socket.write('1\r\nx\r\n'), 50);
      socket.on('close', () => clearInterval(timer));
    });
    const startedAt = performance.now();
    await expect(connect(url)({ timeoutMs: 400 })).rejects.toEqual(failing('timeout', /body was not complete/));
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });

  test('timeout: headers that come in byte by byte', async () => {
    const url = await speak('HTTP/1.1 200 OK\r\n', (socket) => {
      const timer = setInterval(() => socket.write('x'), 50);
      socket.on('close', () => clearInterval(timer));
    });
    await expect(connect(url)({ timeoutMs: 400 })).rejects.toEqual(failing('timeout', /headers/));
  });
});

describe('a length that is wrong', () => {
  test('truncated: fewer bytes than announced', async () => {
    const url = await speak('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc', (socket) => socket.end());
    await expect(connect(url)()).rejects.toEqual(failing('truncated'));
  });

  test('timeout: fewer bytes than announced, and the connection stays', async () => {
    const url = await speak('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc');
    await expect(connect(url)({ timeoutMs: 200 })).rejects.toEqual(failing('timeout', /3 bytes came/));
  });

  test('malformed: more bytes than announced', async () => {
    const url = await speak('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{"data":[]}');
    await expect(connect(url)()).rejects.toEqual(failing('malformed', /More bytes/));
    await expect(connect(url)({ method: 'POST' })).rejects.toEqual(failing('malformed', /More bytes/));
  });

  test('a server that takes the chunks of a body for the next request has answered, and its connection is not used again', async () => {
    let connections = 0;
    const twice = `${ok('{}')}HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n`;
    const url = await listen(
      createSocketServer((socket) => {
        connections += 1;
        socket.once('data', () => setTimeout(() => socket.write(twice), 100));
      }),
    );
    const send = connect(url);
    expect(await send({ method: 'POST', body: 'abc', chunks: 3 })).toMatchObject({ status: 200 });
    await expect(send()).rejects.toEqual(failing('malformed', /More bytes/));
    expect(connections).toBe(2);
  });

  test('malformed: two lengths', async () => {
    const url = await speak('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}');
    await expect(connect(url)()).rejects.toEqual(failing('malformed'));
  });
});
