import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { makeCertificates } from '../../testing/network/certificates.ts';
import { connect as sendTo, failing, listen } from '../../testing/network/network-servers.ts';
import { waysToSend } from '../../testing/network/ways-to-send.ts';

const certificates = makeCertificates();
const authorization = `Basic ${Buffer.from('user:pass word').toString('base64')}`;

/** A proxy that wants a password, and notes what it is asked for. */
async function proxied(status = 200) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers.host}`);
    const isKnown = request.headers['proxy-authorization'] === authorization;
    response.writeHead(isKnown ? 200 : 407, { 'content-type': 'application/json' }).end('{}');
  });
  server.on('connect', (request, client, head) => {
    seen.push(`CONNECT ${request.url}`);
    const isKnown = request.headers['proxy-authorization'] === authorization;
    if (!isKnown || status >= 300) {
      client.end(`HTTP/1.1 ${isKnown ? status : 407} No\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${request.url}`);
    const upstream = connect(Number(port), hostname, () => {
      client.write(`HTTP/1.1 ${status} Connection established\r\n\r\n`);
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
  });
  const url = new URL(await listen(server));
  const through = (credentials: string) => {
    const settings = { url: `http://${credentials}${url.host}`, from: 'the target file' };
    return { proxyFor: () => settings };
  };
  return { seen, known: through('user:pass%20word@'), unknown: through(''), name: url.origin };
}

async function secureServer() {
  if (certificates === undefined) throw new Error('no openssl');
  const server = createTlsServer(certificates.good, (_request, response) => response.writeHead(200).end('{}'));
  const { port } = new URL(await listen(server));
  return { baseUrl: `https://localhost:${port}`, tls: { ca: certificates.authority } };
}

describe.each(Object.entries(waysToSend))('%s', (_way, send) => {
  test.skipIf(certificates === undefined)('reaches an https target through a tunnel', async () => {
    const { seen, known, unknown } = await proxied();
    const route = await secureServer();
    expect(await send({ ...route, ...known })).toBe(200);
    expect(seen[0]).toBe(`CONNECT ${new URL(route.baseUrl).host}`);
    expect(await send({ baseUrl: route.baseUrl, ...known })).toBe('refused'); // the authority is not trusted
    expect(await send({ ...route, ...unknown })).toBe('refused');
  });

  test.skipIf(certificates === undefined)('any 2xx opens the tunnel (RFC 9110, 9.3.6)', async () => {
    const { known } = await proxied(202);
    expect(await send({ ...(await secureServer()), ...known })).toBe(200);
  });

  test('hands the proxy a request for an http target', async () => {
    const { seen, known, unknown } = await proxied();
    const baseUrl = 'http://deployment.test:81/base';
    expect(await send({ baseUrl, ...known })).toBe(200);
    const path = '/base/api/public/organizations/org/models?limit=1';
    expect(seen[0]).toBe(`GET http://deployment.test:81${path} deployment.test:81`);
    expect([407, 'refused']).toContain(await send({ baseUrl, ...unknown }));
  });
});

test('the proxy is blamed, without its password', async () => {
  const { known, unknown, name } = await proxied(403);
  const blames = (reason: string) =>
    failing('refused', new RegExp(`^No connection.* the proxy ${name} from the target file ${reason}`));
  await expect(sendTo({ baseUrl: 'https://a.test', ...unknown })()).rejects.toEqual(
    blames('wants a user name and pass.*407'),
  );
  await expect(sendTo({ baseUrl: 'https://a.test', ...known })()).rejects.toEqual(
    blames('does not connect to a.test:443: .* .403.'),
  );
  await expect(sendTo({ baseUrl: 'http://a.test', ...unknown })()).rejects.toEqual(blames('wants .*407'));
  const gone = { url: 'http://user:secret-password@127.0.0.1:9', from: 'HTTPS_PROXY' };
  for (const baseUrl of ['https://a.test', 'http://a.test']) {
    const failed = sendTo({ baseUrl, proxyFor: () => gone })();
    await expect(failed).rejects.toEqual(
      failing('refused', /127\.0\.0\.1:9 from HTTPS_PROXY cannot be reached .ECONNREFUSED.\.$/),
    );
  }
});
