import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { curlLine } from './curl.ts';
import type { HttpRequest, HttpResponse } from './http.ts';
import type { Route } from './target.ts';
import { createRedactor } from './redaction/redact.ts';

const key = 'awc_test_$(id)`7bQz"K9x!Lm2Vt4';
const redactor = createRedactor([{ key, variable: '$AWC_KEY_ALICE' }]);
const request: HttpRequest = { method: 'GET', path: '/api/public/x', headers: {}, timeoutMs: 1000 };

/** The words that a POSIX shell and bash make of the line, and what they give curl to read: the same. */
async function wordsOf(line: string): Promise<readonly string[]> {
  const curl = String.raw`curl() { for w in "$@"; do printf '%s\0' "$w"; done; case "$*" in *@-*) od -An -v -tx1;; esac; }`;
  // Without --norc, bash would take the socket that Node gives it for a remote login, and read the user's .bashrc.
  const shells = [['sh'], ['bash', '--norc']] as const;
  const [words = '', ofBash] = await Promise.all(
    shells.map(async ([shell, ...flags]) => {
      const { stdout } = await promisify(execFile)(shell, [...flags, '-c', `${curl}\n${line}`], {
        env: { PATH: process.env['PATH'] ?? '', AWC_KEY_ALICE: key, LC_ALL: 'C.UTF-8' },
      });
      return stdout;
    }),
  );
  expect(words).toBe(ofBash);
  return words.split('\0');
}

/** The body that the words give curl. */
function bodyIn(words: readonly string[]): string | undefined {
  const place = words.indexOf('--data-raw');
  return place === -1 ? Buffer.from((words.at(-1) ?? '').replace(/\s/g, ''), 'hex').toString() : words[place + 1];
}

/** The line of a request whose answer has these headers. */
function lineOf(
  changed: Partial<HttpRequest>,
  route: Partial<Route> = {},
  headers: HttpResponse['headers'] = {},
): string {
  const outcome = { kind: 'answered', response: { status: 200, headers, body: new Uint8Array() } } as const;
  const sent = { request: { ...request, ...changed }, outcome };
  return curlLine(sent, { baseUrl: 'https://example.test/base/', ...route }, redactor) ?? '';
}

test('a line has the method, the headers, the key as variable, and the URL', () => {
  const line = lineOf({ method: 'DELETE', headers: { accept: 'application/json', authorization: `Bearer ${key}` } });
  expect(line).toBe(
    `curl -isS --globoff --path-as-is -X DELETE -H 'Accept: application/json' -H "Authorization: Bearer $AWC_KEY_ALICE" https://example.test/base/api/public/x`,
  );
});

test('a body that went out in chunks goes out so again', () => {
  expect(lineOf({ method: 'POST', body: '{}', chunks: 3 })).toContain("-H 'Transfer-Encoding: chunked'");
});

test('a line decodes a compressed answer, and asks for no compression that the request did not ask for', () => {
  const packed = { 'content-encoding': 'gzip' };
  expect(lineOf({}, {}, packed)).toBe(
    'curl -isS --globoff --path-as-is --compressed -H accept-encoding: https://example.test/base/api/public/x',
  );
  expect(lineOf({ headers: { 'accept-encoding': 'gzip' } }, {}, packed)).toBe(
    `curl -isS --globoff --path-as-is --compressed -H 'Accept-Encoding: gzip' https://example.test/base/api/public/x`,
  );
});

test.each([
  `it's "quoted" $HOME \`id\` $(id) \\ !! * ; & | > < # ~ { } [ ]`,
  'line one\nline two\ttab \u001b[31mred\u0007 \u202eolleh\u200b \u2028',
  '🦉 ü 漢字',
  "'\\x41'\u0001f",
  '@/etc/passwd',
  '-o/tmp/x',
  '',
])('a shell reads the body %j as it was, and executes none of it', async (body) => {
  expect(bodyIn(await wordsOf(lineOf({ method: 'POST', body })))).toBe(body);
  expect(lineOf({ method: 'POST', body })).not.toMatch(/[\p{Cc}\p{Cf}\u2028]/u);
});

test.each(['a\0b%d\\n\'"', new Uint8Array([0xff, 0x00, 0x25, 0x5c, 0x27, 0x2d])])(
  'a body that no argument can hold is piped, byte by byte',
  async (body) => {
    const words = await wordsOf(lineOf({ method: 'POST', body }));
    expect(words.at(-1)?.replace(/\s/g, '')).toBe(Buffer.from(body).toString('hex'));
  },
);

test.each([
  `Bearer ${key}`,
  `Bearer ${key}x_more`,
  `Bearer ${key.slice(0, -1)}`,
  `Bearer ${key.slice(0, 12)}#${key.slice(13)}`,
  `Bearer ${key.replace('Vt', 'vt')}`,
  `Basic "$x" \`id\` !`,
  'a\u001b[31m\u202e%d',
])('the header %j comes out as it was, its key from the environment', async (authorization) => {
  const line = lineOf({ headers: { authorization } });
  expect(line).not.toContain(key.slice(0, 12));
  expect(await wordsOf(line)).toContain(`Authorization: ${authorization}`);
});

test('a shell executes nothing of the name of a header, even beside a key', async () => {
  const name = '$(id)`id`!$HOME';
  expect(await wordsOf(lineOf({ headers: { [name]: `Bearer ${key}` } }))).toContain(`${name}: Bearer ${key}`);
});

test('a header that must be unique gets another value each time', async () => {
  const sent = {
    request: { ...request, headers: { 'x-key': 'awc-1' } },
    outcome: { kind: 'failed', failure: 'reset', message: '' },
  } as const;
  const line = curlLine(sent, { baseUrl: 'https://example.test' }, redactor, 'awc-1') ?? '';
  expect(line).toContain('-H "X-Key: awc-curl-$(date +%Y%m%d%H%M%S)"');
  expect((await wordsOf(line)).find((word) => word.startsWith('X-Key: '))).toMatch(/^X-Key: awc-curl-\d{14}$/);
});

test.each([
  `{"message":"${key}"}\n`,
  `${key}\0`,
  Buffer.from(`{"message":"${key}"}`),
  Buffer.from(`\xff${key}`, 'latin1'),
])('a key in the body %j is not shown, however the body is written', async (body) => {
  const line = lineOf({ method: 'POST', body });
  expect(line).not.toContain(key.slice(0, 8));
  expect(bodyIn(await wordsOf(line))).toContain('$AWC_KEY_ALICE');
});

test('a character that a terminal would interpret is escaped beside a key', async () => {
  const line = lineOf({ headers: { authorization: `Bearer \u001b[2J\u202e${key}` } });
  expect(line).not.toMatch(/[\u001b\u202e]/);
  expect(await wordsOf(line)).toContain(`Authorization: Bearer \u001b[2J\u202e${key}`);
});

test('hostile paths stay one word, and nothing that is unreasonably long is shown', async () => {
  const path = "/api/public/x?cursor=';rm -rf *;'&limit=$(id)";
  expect(await wordsOf(lineOf({ path }))).toContain(`https://example.test/base${path}`);
  expect(lineOf({ method: 'POST', body: 'x'.repeat(200_000) })).toBe('');
});

const behindAll = {
  tls: {
    ca: 'PEM',
    cert: 'PEM',
    key: 'PEM',
    passphrase: 'secret-passphrase',
    serverName: 'inside.test',
    files: { ca: 'certs/our ca.pem', cert: 'cert.pem', key: 'key.pem' },
  },
  proxyFor: () => ({ url: 'http://us%22er:secret-word@proxy.test:3128', from: 'the target file' }),
  http2: 'always',
} as const;

test('a line has the options for TLS, the proxy and HTTP/2, with variables in place of secrets', async () => {
  const words = await wordsOf(lineOf({ baseUrl: 'https://node-2.test:8443/base' }, behindAll));
  expect(words.slice(3, -2)).toEqual(
    [
      ['--cacert', 'certs/our ca.pem', '--cert', 'cert.pem', '--key', 'key.pem', '--pass', ''],
      ['--connect-to', '::node-2.test:8443', '-H', 'host: node-2.test:8443'],
      ['--proxy', 'http://proxy.test:3128', '--proxy-user', 'us"er:', '--http2'],
    ].flat(),
  );
  expect(words.at(-2)).toBe('https://inside.test:8443/base/api/public/x');
  expect(lineOf({}, behindAll)).toMatch(/ --pass "\$AWC_TLS_PASSPHRASE" .* "us\\"er:\$AWC_PROXY_PASSWORD" /);
});

test('a proxy of the environment is named by its variable, and what has no effect is left out', () => {
  const plain = {
    ...behindAll,
    baseUrl: 'http://t.test',
    proxyFor: () => ({ url: 'http://p.test', from: 'HTTP_PROXY' }),
  };
  expect(lineOf({}, plain)).toBe(
    'curl -isS --globoff --path-as-is --proxy "$HTTP_PROXY" --http2-prior-knowledge http://t.test/api/public/x',
  );
  expect(lineOf({}, { tls: { insecure: true } })).toContain(' --path-as-is --insecure https://');
  expect(lineOf({}, { proxyFor: () => ({ url: 'http://p.test:1', from: 'the target file' }) })).toContain(
    ' --proxy http://p.test:1 https://',
  );
});
