import { createServer, type ServerOptions } from 'node:https';
import { describe, expect, test } from 'vitest';
import type { TlsSettings } from '../../core/target.ts';
import { makeCertificates } from '../../testing/network/certificates.ts';
import { listen } from '../../testing/network/network-servers.ts';
import { waysToSend } from '../../testing/network/ways-to-send.ts';

const certificates = makeCertificates();

/** The base URL of a server that answers every request. */
async function served(options: ServerOptions): Promise<string> {
  const server = createServer(options, (_request, response) => response.writeHead(200).end('{}'));
  server.on('tlsClientError', () => {});
  const { port } = new URL(await listen(server));
  return `https://127.0.0.1:${port}`;
}

describe.each(Object.entries(waysToSend))('%s', (_way, send) => {
  test.skipIf(certificates === undefined)('trusts only what tls.ca names, unless tls.insecure is set', async () => {
    if (certificates === undefined) return;
    const { authority, stranger, good } = certificates;
    const baseUrl = await served(good);
    expect(await send({ baseUrl })).toBe('refused');
    expect(await send({ baseUrl, tls: { ca: stranger } })).toBe('refused');
    expect(await send({ baseUrl, tls: { ca: authority } })).toBe(200);
    expect(await send({ baseUrl, tls: { insecure: true } })).toBe(200);
  });

  test.skipIf(certificates === undefined)('expects the name in tls.serverName', async () => {
    if (certificates === undefined) return;
    const { authority: ca, elsewhere } = certificates;
    const baseUrl = await served(elsewhere);
    expect(await send({ baseUrl, tls: { ca } })).toBe('refused');
    expect(await send({ baseUrl, tls: { ca, serverName: 'elsewhere.test' } })).toBe(200);
  });

  test.skipIf(certificates === undefined)('shows its certificate to a server that asks for one', async () => {
    if (certificates === undefined) return;
    const { authority: ca, good } = certificates;
    const baseUrl = await served({ ...good, ca, requestCert: true, rejectUnauthorized: true });
    const client: TlsSettings = { ca, ...good };
    expect(await send({ baseUrl, tls: client })).toBe(200);
    expect(await send({ baseUrl, tls: { ca } })).not.toBe(200);
  });
});
