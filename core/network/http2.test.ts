import { createSecureServer, createServer, constants, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeCertificates } from '../../testing/network/certificates.ts';
import { connect, failing, listen, text } from '../../testing/network/network-servers.ts';
import type { Route } from '../target.ts';
import { networkDeployment } from './network.ts';

const certificates = makeCertificates();

type Answer = (stream: ServerHttp2Stream, path: string, ordinal: number) => void;

const answering: Answer = (stream, path) => {
  stream.respond({ ':status': 200, 'x-path': path });
  stream.end('{}');
};

/** A server without TLS, and its connections. */
async function plain(answer: Answer, prepare: (server: Http2Server) => void = () => {}) {
  const server = createServer();
  let sessions = 0;
  let streams = 0;
  server.on('session', () => {
    sessions += 1;
  });
  server.on('sessionError', () => {});
  server.on('stream', (stream, headers) => {
    streams += 1;
    stream.on('error', () => {});
    answer(stream, String(headers[':path']), streams);
  });
  prepare(server);
  const route: Route = { baseUrl: await listen(server), http2: 'always' };
  return { route, sessions: () => sessions, streams: () => streams };
}

test('several requests are streams of one connection, and are answered each by its own', async () => {
  const { route, sessions } = await plain((stream, path) => void setTimeout(() => answering(stream, path, 0), 20));
  const send = connect(route);
  const paths = Array.from({ length: 8 }, (_, index) => `/a//b/${index}?x=%2F`);
  const answers = await Promise.all(paths.map((path) => send({ path })));
  expect(answers.map(({ headers }) => headers['x-path'])).toEqual(paths);
  expect(sessions()).toBe(1);
});

test('a body arrives, and headers and bodies come back', async () => {
  const { route } = await plain((stream) => {
    stream.respond({ ':status': 201, 'set-cookie': ['a=1', 'b=2'] });
    stream.pipe(stream);
  });
  const answer = await connect(route)({ method: 'POST', body: '{"é":1}' });
  expect([answer.status, text(answer.body), answer.headers['set-cookie']]).toEqual([201, '{"é":1}', 'a=1, b=2']);
});

test('HTTP/2 without TLS does not go through a proxy, which is said', async () => {
  const proxyFor = () => ({ url: 'http://127.0.0.1:9', from: 'the target file' });
  const failed = connect({ baseUrl: 'http://deployment.test', http2: 'always', proxyFor })();
  await expect(failed).rejects.toEqual(
    failing('refused', /^No connection .* the proxy http:\/\/127\.0\.0\.1:9 .* http2: never/),
  );
});

test('a stream that the server resets fails alone', async () => {
  const { route, sessions } = await plain((stream, path) => {
    if (path === '/reset') stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    else if (path === '/half') {
      stream.respond({ ':status': 200 });
      stream.write('{');
      setTimeout(() => stream.destroy(new Error('broken')), 20);
    } else setTimeout(() => answering(stream, path, 0), 60);
  });
  const send = connect(route);
  const [good, reset, half] = await Promise.allSettled([
    send({ path: '/' }),
    send({ path: '/reset' }),
    send({ path: '/half' }),
  ]);
  expect(good).toMatchObject({ status: 'fulfilled' });
  expect(reset).toMatchObject({
    reason: failing('reset', /The server reset the stream before the answer began .HTTP\/2 error 2./),
  });
  expect(half).toMatchObject({ reason: failing('truncated', /The server reset the stream after 1 bytes of the body/) });
  expect(sessions()).toBe(1);
});

test('a connection that ends and a stream that is reset are different failures', async () => {
  const { route } = await plain((stream) => stream.session?.destroy());
  await expect(connect(route)()).rejects.toEqual(failing('reset', /^The connection ended before the answer began/));
});

test('what a server refuses to process is sent once more, also a write', async () => {
  const { route, streams } = await plain((stream, path, ordinal) => {
    if (ordinal === 1) stream.close(constants.NGHTTP2_REFUSED_STREAM);
    else answering(stream, path, ordinal);
  });
  expect((await connect(route)({ method: 'POST', body: '{}' })).status).toBe(200);
  expect(streams()).toBe(2);
});

test('after GOAWAY a new connection is opened, and what is under way is finished', async () => {
  const { route, sessions } = await plain((stream, path) => {
    stream.session?.goaway();
    setTimeout(() => answering(stream, path, 0), 30);
  });
  const send = connect(route);
  expect((await send({ path: '/1' })).headers['x-path']).toBe('/1');
  expect((await send({ path: '/2' })).headers['x-path']).toBe('/2');
  expect(sessions()).toBe(2);
});

test('an answer that takes too long, or is too large, ends its stream only', async () => {
  const { route, sessions } = await plain((stream, path) => {
    if (path === '/large') stream.respond({ ':status': 200 });
    if (path === '/large') stream.end('x'.repeat(100_000));
    else if (path !== '/never') answering(stream, path, 0);
  });
  const send = connect(route, { maxBodyBytes: 1000 });
  await expect(send({ path: '/never', timeoutMs: 50 })).rejects.toEqual(
    failing('timeout', /No answer began within 50 ms/),
  );
  await expect(send({ path: '/large' })).rejects.toEqual(failing('too-large'));
  expect((await send()).status).toBe(200);
  expect(sessions()).toBe(1);
});

test('where nothing listens, no connection is made', async () => {
  await expect(connect({ baseUrl: 'http://127.0.0.1:9', http2: 'always' })()).rejects.toEqual(
    failing('refused', /nothing listens/),
  );
});

describe.skipIf(certificates === undefined)('over TLS', () => {
  async function secure(isHttp2: boolean) {
    if (certificates === undefined) throw new Error('no openssl');
    const server = isHttp2
      ? createSecureServer(certificates.good, (_request, response) => void response.end('{}'))
      : createTlsServer(certificates.good, (_request, response) => void response.end('{}'));
    const { port } = new URL(await listen(server));
    return { baseUrl: `https://localhost:${port}`, tls: { ca: certificates.authority } };
  }

  test.each([
    [true, 'auto', 'HTTP/2'],
    [true, 'always', 'HTTP/2'],
    [false, 'auto', 'HTTP/1.1'],
    [false, 'never', undefined],
  ] as const)('a server with HTTP/2 (%s) and http2: %s speak %s', async (isHttp2, http2, protocol) => {
    const network = networkDeployment({ ...(await secure(isHttp2)), http2 });
    onTestFinished(network.close);
    const request = { method: 'GET', path: '/', headers: {}, timeoutMs: 9000 } as const;
    expect((await network.deployment(request)).status).toBe(200);
    expect((await network.deployment(request)).status).toBe(200);
    expect(network.protocol()).toBe(protocol);
  });

  test.each([
    ['only HTTP/1.1', false, 'always'],
    ['only HTTP/2', true, 'never'],
  ] as const)('where a server has %s, the failure says what helps', async (_what, isHttp2, http2) => {
    const failed = connect({ ...(await secure(isHttp2)), http2 })();
    await expect(failed).rejects.toEqual(failing('refused', /another version of HTTP.*: set http2: auto/));
  });
});
