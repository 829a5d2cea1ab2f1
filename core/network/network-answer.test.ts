import { createServer as createSocketServer, type Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { connect, failing, listen, ok, serve, speak, text } from '../../testing/network/network-servers.ts';

describe('what arrives', () => {
  const bodyOf = async (answer: string | Uint8Array, after?: (socket: Socket) => void): Promise<string> =>
    text((await connect(await speak(answer, after))()).body);

  test('bytes that are no UTF-8, as they are', async () => {
    const bytes = Buffer.from([0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22]);
    const url = await serve((_request, response) => response.end(bytes));
    expect((await connect(url)()).body).toEqual(new Uint8Array(bytes));
  });

  test('JSON 10,000 levels deep', async () => {
    const deep = '['.repeat(10_000) + ']'.repeat(10_000);
    expect(await bodyOf(ok(deep))).toBe(deep);
  });

  test('a chunked body, in pieces', async () => {
    const url = await serve((_request, response) => {
      response.write('ab');
      setTimeout(() => response.end('cd'), 20);
    });
    expect(text((await connect(url)()).body)).toBe('abcd');
  });

  test('a body that ends with its connection', async () => {
    expect(await bodyOf('HTTP/1.0 200 OK\r\n\r\nabcd', (socket) => socket.end())).toBe('abcd');
  });

  test('a line end after the body, as some servers send it', async () => {
    expect(await bodyOf(`${ok('{}')}\r\n`)).toBe('{}');
  });

  for (const length of ['2', ' \t 2', '2 ', '  2  ']) {
    test(`a body whose length has white space around it: ${JSON.stringify(length)}`, async () => {
      expect(await bodyOf(`HTTP/1.1 200 OK\r\ncontent-length:${length}\r\n\r\n{}`)).toBe('{}');
    });
  }

  test('truncated: white space behind the length, and a body that ends too soon', async () => {
    const url = await speak('HTTP/1.1 200 OK\r\ncontent-length: 3 \r\n\r\n{}', (socket) => socket.end());
    await expect(connect(url)()).rejects.toEqual(failing('truncated'));
  });

  test('no body with 204', async () => {
    const response = await connect(await speak('HTTP/1.1 204 No Content\r\ncontent-encoding: gzip\r\n\r\n'))();
    expect(response).toMatchObject({ status: 204, body: new Uint8Array() });
  });

  test.each([
    ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['100 without a phrase, twice', 'HTTP/1.1 100 \r\nx-a: 1\r\n\r\nHTTP/1.1 100\r\n\r\n'],
    ['103 Early Hints', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'],
  ])('interim answers: %s', async (_name, interim) => {
    for (const method of ['GET', 'POST'] as const) {
      const send = connect(await speak(interim + ok('final')));
      for (const round of [1, 2]) expect([round, text((await send({ method })).body)]).toEqual([round, 'final']);
    }
  });

  test('interim answers in pieces', async () => {
    const url = await listen(
      createSocketServer((socket) => {
        const answer = async (): Promise<void> => {
          for (const byte of `HTTP/1.1 100 Continue\r\n\r\n${ok('final')}`) {
            socket.write(byte);
            await new Promise((resolve) => setImmediate(resolve));
          }
        };
        socket.on('data', () => void answer());
      }),
    );
    expect(text((await connect(url)()).body)).toBe('final');
  });

  test.each([
    ['gzip', gzipSync('packed')],
    ['X-GZIP', gzipSync('packed')],
    ['br', brotliCompressSync('packed')],
    ['deflate', deflateSync('packed')],
    ['deflate', deflateRawSync('packed')],
    ['identity', Buffer.from('packed')],
    ['gzip, br', brotliCompressSync(gzipSync('packed'))],
  ])('a body packed in %s', async (coding, packed) => {
    const url = await serve((_request, response) => response.setHeader('content-encoding', coding).end(packed));
    const response = await connect(url)();
    expect(text(response.body)).toBe('packed');
    expect(response.headers['content-encoding']).toBe(coding);
  });

  test.each([
    ['truncated', 'gzip', gzipSync('packed').subarray(0, 15)],
    ['malformed', 'gzip', Buffer.from('not packed')],
    ['malformed', 'rot13\u001b[31m', Buffer.from('x')],
    ['malformed', 'gzip,gzip,gzip,gzip,gzip', gzipSync('packed')],
  ])('%s: a body that is not the %j it says it is', async (failure, coding, body) => {
    const head = `HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`;
    const error = await connect(await speak(Buffer.concat([Buffer.from(head), body])))().catch(
      (reason: unknown) => reason,
    );
    // A parser may well refuse the escape code before anybody looks at the coding.
    expect(error).toEqual(failing(failure, /^[ -~]+$/));
  });

  test('headers: latin1, repeated ones joined, names in lower case, none of them special', async () => {
    const head = 'HTTP/1.1 200 OK\r\nX-A: caf\xe9\r\nx-a: 2\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n__proto__: p\r\n';
    const url = await speak(Buffer.from(`${head}content-length: 0\r\n\r\n`, 'latin1'));
    const { headers } = await connect(url)();
    expect(headers).toMatchObject({ 'x-a': 'caf\xe9, 2', 'set-cookie': 'a=1, b=2' });
    expect(Object.entries(headers)).toContainEqual(['__proto__', 'p']);
  });

  test('headers: white space behind a value is no part of it', async () => {
    const url = await speak('HTTP/1.1 200 OK\r\ncontent-type: application/json \t\r\ncontent-length: 0\r\n\r\n');
    expect((await connect(url)()).headers['content-type']).toBe('application/json');
  });
});
