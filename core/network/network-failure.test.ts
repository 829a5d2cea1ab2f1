import { expect, test } from 'vitest';
import { type Progress, transportErrorOf } from './network-failure.ts';

const coded = (code: string, message = 'Bearer sk-secret \u001b[31m'): Error =>
  Object.assign(new Error(message), { code });

test.each([
  ['CERT_HAS_EXPIRED', 'connecting', 'refused', /certificate has expired/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'connecting', 'refused', /another host name/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'connecting', 'refused', /self-signed/],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'connecting', 'refused', /could be made/],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'waiting', 'refused', /without a client certificate/],
  ['ENOTFOUND', 'connecting', 'refused', /host name does not exist/],
  ['EAI_AGAIN', 'connecting', 'refused', /name server/],
  ['ECONNRESET', 'connecting', 'refused', /while it was being made/],
  ['UND_ERR_CONNECT_TIMEOUT', 'connecting', 'timeout', /No connection/],
  ['ECONNRESET', 'waiting', 'reset', /before the answer/],
  ['EPIPE', 'waiting', 'reset', /before the answer/],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'headers', 'malformed', /not HTTP/],
  ['UND_ERR_SOCKET', 'headers', 'truncated', /within the headers/],
  ['UND_ERR_HEADERS_OVERFLOW', 'headers', 'too-large', /64 KiB/],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'body', 'truncated', /7 bytes/],
  ['EWHATEVER', 'connecting', 'refused', /EWHATEVER/],
] as const)('%s while %s is %s', (code, stage, failure, message) => {
  const error = transportErrorOf(coded(code), { stage, bodyBytes: 7 });
  expect(error.failure).toBe(failure);
  expect(error.message).toMatch(message);
});

test('nothing of what the other side, or a key, brought into an error is repeated', () => {
  const stages: readonly Progress['stage'][] = ['connecting', 'waiting', 'headers', 'body'];
  for (const stage of stages) {
    const { message } = transportErrorOf(coded('not a code: sk-secret'), { stage, bodyBytes: 0 });
    expect(message).toMatch(/^[ -~]+$/);
    expect(message).not.toContain('secret');
  }
});
