import { expect, onTestFinished, test } from 'vitest';
import { realClock, virtualClock } from '../../core/clock.ts';
import { networkDeployment } from '../../core/network/network.ts';
import { tlsAdvice } from '../../core/network/tls-advice.ts';
import type { ProxySettings, Route, TlsSettings } from '../../core/target.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { makeCertificates } from '../../testing/network/certificates.ts';
import { startNginx, startSquid, startTinyproxy } from '../../testing/network/gateways.ts';
import { freePort } from '../../testing/network/port-of.ts';
import { servedReference } from '../../testing/try-awc.ts';
import { diagnose } from './doctor.ts';

/** Why a run by that route is not possible; undefined if it is. */
async function whyNot(route: Route): Promise<string | undefined> {
  const { target } = createReference({ clock: virtualClock(), seed: 1 });
  const { deployment, close } = networkDeployment(route);
  onTestFinished(close);
  const declared = { ...target, ...route };
  const session = createSession({ deployment, target: declared, clock: realClock, seed: 1, invariants: [] });
  return (await diagnose(session, () => tlsAdvice(route, 5000))).unusable;
}

const made = makeCertificates();
const noNginx = 'needs nginx, of the Debian package nginx-light';

test.for([
  [
    'basic auth',
    'auth_basic "staging"; auth_basic_user_file /dev/null;',
    '',
    /401 .*"401 Authorization Required", server: nginx.*www-authenticate: Basic realm="staging"\)\. A gateway wants credentials/,
  ],
  ['a list of addresses', 'deny all;', '', /403 .*"403 Forbidden", server: nginx.*\. A gateway refuses the requests/],
  [
    'another prefix',
    '',
    '/wrong',
    /404 .*"404 Not Found", server: nginx.*\. Is the path of the base URL right\? Requests go to http:\/\/127\.0\.0\.1:\d+\/wrong\/api\/public/,
  ],
  [
    'a redirect to https',
    'return 301 https://$host$request_uri;',
    '',
    /301 to https:\/\/127\.0\.0\.1\/api\/.*Redirects are not followed/,
  ],
  [
    'HTTP/2 only',
    'return 426;',
    '',
    /gets 426 .*\. The server wants another version of HTTP: set http2: auto, or always if/,
  ],
  [
    'nothing behind it',
    'proxy_pass http://127.0.0.1:9;',
    '',
    /502 .*"502 Bad Gateway", server: nginx.*\. The service behind the gateway does not answer: is it running\?/,
  ],
] as const)('nginx with %s', async ([_what, directives, path, sentence], { skip }) => {
  const port = await startNginx(`location /api { ${directives || 'return 204;'} }`);
  if (port === undefined) return skip(noNginx);
  expect(await whyNot({ baseUrl: `http://127.0.0.1:${port}${path}` })).toMatch(sentence);
});

const tls = { ca: made?.authority } satisfies TlsSettings;

test.for([
  [
    'the client certificate is missing',
    'https',
    tls,
    /400 .*"400 No required SSL certificate was sent", server: nginx[^)]*\)\. The server asks for a client certificate: set tls\.cert/,
  ],
  [
    'the client certificate is of another authority',
    'https',
    { ...tls, ...made?.byStranger },
    /400 .*"400 The SSL certificate error".*asks for a client certificate: does it trust the one of tls\.cert\?/,
  ],
  ['the client certificate is right', 'https', { ...tls, ...made?.good }, undefined],
  [
    'HTTP is spoken on its TLS port',
    'http',
    tls,
    /400 .*"400 The plain HTTP request was sent to HTTPS port", server: nginx[^)]*\)\. The port speaks TLS: begin baseUrl with https/,
  ],
] as const)('nginx with TLS, where %s', async ([_what, protocol, settings, sentence], { skip }) => {
  if (made === undefined) return skip('needs openssl to make certificates');
  const { baseUrl } = await servedReference();
  const files = { 'cert.pem': made.good.cert, 'key.pem': made.good.key, 'ca.pem': made.authority };
  const verified =
    'ssl_certificate cert.pem; ssl_certificate_key key.pem; ssl_client_certificate ca.pem; ssl_verify_client on;';
  const port = await startNginx(`${verified} location / { proxy_pass ${baseUrl}; }`, files, ' ssl');
  if (port === undefined) return skip(noNginx);
  const reason = await whyNot({ baseUrl: `${protocol}://127.0.0.1:${port}`, tls: settings });
  if (sentence === undefined) expect(reason).toBeUndefined();
  else expect(reason).toMatch(sentence);
});

test.for([
  [
    'wants a password',
    ['BasicAuth user secret'],
    'https://127.0.0.1:9',
    '',
    /the proxy http:\/\/127\.0\.0\.1:\d+ from the target file wants a user name and password: write them into its URL, .*\(407\)/,
  ],
  [
    'wants a password for HTTP',
    ['BasicAuth user secret'],
    'http://127.0.0.1:9',
    '',
    /from the target file wants a user name and password: write them into its URL, .*\(407\)/,
  ],
  [
    'wants another password',
    ['BasicAuth user secret'],
    'https://127.0.0.1:9',
    'user:wrong@',
    /from the target file refuses the user name and password: correct them in its URL \(401\)/,
  ],
  [
    'refuses the port',
    ['ConnectPort 443'],
    'https://127.0.0.1:9',
    '',
    /from the target file does not connect to 127\.0\.0\.1:9: let it allow that address, or set another proxy \(403\)\.$/,
  ],
  [
    'refuses the address of HTTP',
    ['Filter "/dev/null"', 'FilterDefaultDeny Yes'],
    'http://127.0.0.1:9',
    '',
    /403 .*"403 Filtered", server: tinyproxy.*\? The request went through the proxy http:\/\/127\.0\.0\.1:\d+ from the target file: the page may be its own\.$/,
  ],
  [
    'cannot reach it',
    [],
    'https://127.0.0.1:9',
    '',
    /from the target file cannot reach 127\.0\.0\.1:9: the base URL may be wrong, or nothing listens there \(5\d\d\)\.$/,
  ],
] as const)('a tinyproxy that %s', async ([_what, lines, baseUrl, credentials, sentence], { skip }) => {
  const port = await startTinyproxy(lines);
  if (port === undefined) return skip('needs tinyproxy, of the Debian package of that name');
  const settings: ProxySettings = { url: `http://${credentials}127.0.0.1:${port}`, from: 'the target file' };
  expect(await whyNot({ baseUrl, proxyFor: () => settings })).toMatch(sentence);
});

test.for([
  [
    'cannot reach the server',
    'http',
    /50\d .*server: squid.*x-squid-error: ERR_\w+ \d+\)\. .*went through the proxy .*: the page may be its own\.$/,
  ],
  [
    'opens no tunnel',
    'https',
    /the proxy http:\/\/127\.0\.0\.1:\d+ from HTTP_PROXY cannot reach staging\.test:443: .* \(50\d\)\.$/,
  ],
] as const)('a squid that %s', async ([_what, protocol, sentence], { skip, onTestFinished: onEnd }) => {
  const port = await startSquid({ '127.0.0.1': 9 }, onEnd);
  if (port === undefined) return skip('needs squid, of the Debian package of that name');
  const settings: ProxySettings = { url: `http://127.0.0.1:${port}`, from: 'HTTP_PROXY' };
  expect(await whyNot({ baseUrl: `${protocol}://staging.test`, proxyFor: () => settings })).toMatch(sentence);
});

test('a proxy that is not there', async () => {
  const settings: ProxySettings = { url: `http://127.0.0.1:${await freePort()}`, from: 'HTTPS_PROXY' };
  const reason = await whyNot({ baseUrl: 'https://staging.invalid', proxyFor: () => settings });
  expect(reason).toMatch(/the proxy http:\/\/127\.0\.0\.1:\d+ from HTTPS_PROXY cannot be reached \(ECONNREFUSED\)/);
});
