import { createServer as createPlainServer } from 'node:net';
import { createServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../testing/network/network-servers.ts';
import { selfSigned } from '../../testing/network/certificates.ts';
import { tlsAdvice } from './tls-advice.ts';
import { readTls } from './tls-facts.ts';

test('protocol, trust and validity of a certificate are read, though it is a bad one', async ({ skip }) => {
  const pair = selfSigned(30);
  if (pair === undefined) return skip('needs openssl to make a certificate');
  const { port } = new URL(await listen(createServer(pair)));
  const facts = await readTls({ baseUrl: `https://localhost:${port}/base` }, 5000);
  expect(facts).toMatchObject({ kind: 'secure', protocol: 'TLSv1.3', untrusted: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  expect(facts).toMatchObject({ http: undefined, chain: [{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }] });
  const days = facts.kind === 'secure' ? ((facts.validTo ?? 0) - Date.now()) / 86_400_000 : 0;
  expect(Math.round(days)).toBe(30);
});

test('without TLS there is nothing to say', async () => {
  expect(await readTls({ baseUrl: 'http://127.0.0.1:9' }, 5000)).toEqual({ kind: 'none' });
});

test.each([
  ['nothing listens', undefined, 5000, 'ECONNREFUSED'],
  ['what answers is no TLS', 'HTTP/1.1 400 Bad Request\r\n\r\n', 5000, /^(ERR_SSL|EPROTO)/],
  ['nothing is answered', '', 50, 'ETIMEDOUT'],
])('no connection comes about where %s', async (_what, reply, timeoutMs, code) => {
  const server = createPlainServer((socket) => {
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    if (reply !== undefined && reply !== '') socket.end(reply);
  });
  const { port } = new URL(await listen(server));
  if (reply === undefined) await new Promise((resolve) => server.close(resolve));
  const facts = await readTls({ baseUrl: `https://127.0.0.1:${port}` }, timeoutMs);
  expect(facts).toEqual({ kind: 'failed', code: expect.stringMatching(code) });
});

test.each([
  ['http', {}, 'The port speaks TLS: begin baseUrl with https://.'],
  ['https', {}, undefined],
  ['https', { requestCert: true }, 'The server asks for a client certificate: set tls.cert and tls.key.'],
])('what helps where %s is asked of a server with %j', async (scheme, options, advice) => {
  const pair = selfSigned(30);
  if (pair === undefined) return;
  const { port } = new URL(await listen(createServer({ ...pair, ...options, rejectUnauthorized: false })));
  expect(await tlsAdvice({ baseUrl: `${scheme}://localhost:${port}/base` }, 5000)).toBe(advice);
});
