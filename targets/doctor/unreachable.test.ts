import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { createServer as createSocketServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { realClock, virtualClock } from '../../core/clock.ts';
import { networkDeployment } from '../../core/network/network.ts';
import { tlsAdvice } from '../../core/network/tls-advice.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { type Certificates, makeCertificates } from '../../testing/network/certificates.ts';
import { listen, serve } from '../../testing/network/network-servers.ts';
import { diagnose } from './doctor.ts';

/** Why a run over the network is not possible. */
async function whyNot(baseUrl: string): Promise<string | undefined> {
  const { target } = createReference({ clock: virtualClock(), seed: 1 });
  const { deployment, close } = networkDeployment({ baseUrl });
  onTestFinished(close);
  const session = createSession({
    deployment,
    target: { ...target, baseUrl },
    clock: realClock,
    seed: 1,
    invariants: [],
  });
  return (await diagnose(session, () => tlsAdvice({ baseUrl }, 5000))).unusable;
}

const answering: RequestListener = (_request, response) => void response.writeHead(404).end();

async function serveTls(options: ServerOptions): Promise<string> {
  return (await listen(createTlsServer(options, answering))).replace('http:', 'https:');
}

/** What the other side is, how it is addressed, and what the user reads. */
const secured: readonly (readonly [
  what: string,
  open: (made: Certificates) => Promise<string>,
  trusted: keyof Pick<Certificates, 'authority' | 'stranger'>,
  sentence: RegExp,
])[] = [
  [
    'a server that needs a client certificate, under TLS 1.3',
    ({ good, authority }) => serveTls({ ...good, ca: authority, requestCert: true }),
    'authority',
    /: The connection ended before the answer began .*\. The server asks for a client certificate: set tls\.cert and tls\.key\.$/,
  ],
  [
    'a server that needs a client certificate, under TLS 1.2',
    ({ good, authority }) => serveTls({ ...good, ca: authority, requestCert: true, maxVersion: 'TLSv1.2' }),
    'authority',
    /refuses the TLS handshake; it may need a client certificate: set tls\.cert and tls\.key/,
  ],
  [
    'a certificate without its chain',
    ({ withoutChain }) => serveTls(withoutChain),
    'authority',
    /no chain to a trusted authority; if a private authority signed it, name that in tls\.ca .*; otherwise let the server send the whole chain/,
  ],
  [
    'a certificate of another authority, without a chain',
    ({ good }) => serveTls(good),
    'stranger',
    /no chain to a trusted authority; if a private authority signed it, name that in tls\.ca/,
  ],
  [
    'a chain of an authority that is not trusted',
    ({ withChain }) => serveTls(withChain),
    'stranger',
    /from an authority that is not trusted here; if you trust it, name it in tls\.ca/,
  ],
  ['an expired certificate', ({ expired }) => serveTls(expired), 'authority', /certificate has expired: it must be/],
  [
    'a certificate for another host',
    ({ elsewhere }) => serveTls(elsewhere),
    'authority',
    /is for another host name: use that name in baseUrl, or set it as tls\.serverName/,
  ],
  [
    'HTTP on a port that speaks TLS',
    async ({ good }) => (await serveTls(good)).replace('https:', 'http:'),
    'authority',
    /\. The port speaks TLS: begin baseUrl with https:\/\/\.$/,
  ],
];

describe('with certificates', () => {
  const made = makeCertificates();
  test.for(secured)('%s', async ([_what, open, trusted, sentence], { skip }) => {
    if (made === undefined) return skip('needs openssl to make certificates');
    const before = getCACertificates('default');
    setDefaultCACertificates([made[trusted]]);
    onTestFinished(() => setDefaultCACertificates(before));
    const baseUrl = await open(made);
    const reason = await whyNot(baseUrl);
    expect(reason).toMatch(sentence);
    expect(reason?.startsWith(`Cannot judge ${baseUrl}: `)).toBe(true);
  });
});

test('TLS on a port that speaks HTTP', async () => {
  const baseUrl = (await serve(answering)).replace('http:', 'https:');
  expect(await whyNot(baseUrl)).toMatch(/it does not speak TLS; the base URL may have to begin with http:\/\//);
});

test('a host name that does not exist here', async () => {
  const sentence = /host name .*; if only a proxy reaches it, set proxy in the target file or HTTPS_PROXY/;
  expect(await whyNot('https://staging.invalid')).toMatch(sentence);
});

test('nothing listens', async () => {
  const server = createServer();
  const baseUrl = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  expect(await whyNot(baseUrl)).toMatch(
    /nothing listens at that address: is the deployment running, and the port right/,
  );
});

test('a server that speaks something else', async () => {
  const baseUrl = await listen(createSocketServer((socket) => socket.end('220 mail ready\r\n')));
  expect(await whyNot(baseUrl)).toMatch(/Cannot judge .*: What came is not HTTP/);
});

test.each([
  [
    '401',
    { 'www-authenticate': 'Basic realm="staging"' },
    /401 .*www-authenticate: Basic realm="staging"\)\. A gateway wants credentials in the header Authorization/,
  ],
  ['403', { server: 'envoy' }, /403 .*server: envoy\)\. A gateway refuses the requests/],
  ['407', { 'proxy-authenticate': 'Basic' }, /407 .*proxy-authenticate: Basic\)\. A proxy wants credentials/],
  [
    '502',
    { via: '1.1 edge', 'proxy-status': 'edge; error=dns_timeout' },
    /Cannot judge .*: 502 with text\/html \("Page of 502", via: 1\.1 edge, proxy-status: edge; error=dns_timeout\)\. The service behind/,
  ],
  ['200', {}, /200 with text\/html \("Page of 200"\)\. Is the base URL right\? This may be a web application/],
  [
    '302',
    { location: 'https://login.test/?next=x' },
    /302 to https:\/\/login\.test\/\?next=x .*Redirects are not followed/,
  ],
  [
    '404',
    {},
    /404 .*Is the path of the base URL right\? Requests go to http:\/\/127\.0\.0\.1:\d+\/gateway\/api\/public/,
  ],
] as const)('a gateway that answers %s', async (status, headers, sentence) => {
  const page = `<html><head><style>x{}</style><title>Page of ${status}</title></head><body>\u001b[2J</body></html>`;
  const baseUrl = await serve((_request, response) =>
    response.writeHead(Number(status), { 'content-type': 'text/html', ...headers }).end(page),
  );
  expect(await whyNot(`${baseUrl}/gateway/`)).toMatch(sentence);
});

test('a page that repeats the key shows the name of its variable', async () => {
  const baseUrl = await serve((request, response) =>
    response.writeHead(403, { 'content-type': 'text/plain' }).end(`no ${request.headers.authorization ?? ''}`),
  );
  expect(await whyNot(baseUrl)).toContain('(\\"no Bearer $AWC_KEY_ALICE\\")'.replaceAll('\\', ''));
});
