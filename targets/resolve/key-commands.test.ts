import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { networkDeployment } from '../../core/network/network.ts';
import { redactorOf } from '../../core/redaction/redact.ts';
import { createTraces } from '../../load/engine/new-trace.ts';
import { createRawRequests } from '../../load/engine/raw-request.ts';
import { listen } from '../../testing/network/network-servers.ts';
import { fetchKeys } from './key-commands.ts';
import { parseTarget } from '../target-file.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'awc-test-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

/** Prints another key each time. */
const counting = 'echo x >> count; echo key-of-alice-number-$(wc -l < count | tr -d " ")';

const parsed = (key: string, baseUrl = 'https://t.example') =>
  parseTarget(
    `name: T\nbaseUrl: ${baseUrl}\nprincipals: { alice: { key: ${key} }, bob: { key: k2 } }\n`,
    'target.yaml',
    {},
  ).target;

const fetched = (command: string, path = folder(), baseUrl?: string) =>
  fetchKeys(parsed(JSON.stringify({ command, refreshSeconds: 1 }), baseUrl), {
    folder: path,
    environment: process.env,
  });

test('a key is printed by its command, and not by reading the file', async () => {
  const path = folder();
  const target = await fetched(counting, path);
  expect(readFileSync(join(path, 'count'), 'utf8')).toBe('x\n');
  expect(target.principals).toMatchObject([
    { key: 'key-of-alice-number-1', variable: '$AWC_KEY_ALICE' },
    { key: 'k2' },
  ]);
  expect(redactorOf(target).text('key-of-alice-number-1')).toBe('$AWC_KEY_ALICE');
});

test('a key is renewed when it is due: connections send the latest, and everything else knows the first', async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    seen.push(headers.authorization);
    response.writeHead(200, { 'x-echo': headers.authorization ?? '' }).end(`{"key":"${headers.authorization}"}`);
  });
  const target = await fetched(counting, folder(), await listen(server));
  const { text } = redactorOf(target);
  const { deployment, close } = networkDeployment(target);
  onTestFinished(close);
  const request = {
    method: 'GET',
    path: '/',
    headers: { authorization: 'Bearer key-of-alice-number-1' },
    timeoutMs: 9000,
  } as const;
  await deployment(request);
  const bytesOf = createRawRequests(target);
  expect(bytesOf(request, createTraces()())).toContain('number-1\r\n');
  await expect
    .poll(async () => (await deployment(request)).headers['x-echo'] === 'Bearer key-of-alice-number-1' && seen.at(-1), {
      timeout: 20_000,
    })
    .toBe('Bearer key-of-alice-number-2');
  expect(Buffer.from((await deployment(request)).body).toString()).toBe('{"key":"Bearer key-of-alice-number-1"}');
  expect(bytesOf(request, createTraces()())).not.toContain('number-1\r\n');
  expect(text('key-of-alice-number-2 and key-of-alice-number-1')).toBe('$AWC_KEY_ALICE and $AWC_KEY_ALICE');
});

test('a key stays in use while its command fails', async () => {
  const path = folder();
  writeFileSync(join(path, 'key'), 'secret-key-of-alice');
  const target = await fetched('cat key', path);
  rmSync(join(path, 'key'));
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await target.renewal?.refresh();
  expect(target.renewal?.latest('secret-key-of-alice')).toBe('secret-key-of-alice');
});

test.each([
  [
    'echo secret >&2; exit 3',
    /principals\.alice\.key\.command ended with exit code 3; it must print the key, and nothing else/,
  ],
  ['true', /principals\.alice\.key\.command printed nothing/],
  ['echo Bearer secret', /principals\.alice\.key\.command contains a space/],
  ['head -c 2000000 /dev/zero | tr "\\0" s', /principals\.alice\.key\.command cannot be sent in a header/],
  ['echo k2', /is also the key of another principal/],
])('%s is a problem', async (command, message) => {
  const failed = fetched(command);
  await expect(failed).rejects.toThrow(message);
  await expect(failed).rejects.not.toThrow(/secret/);
});

test.each([
  ['{ command: x }', /3:29: principals\.alice\.key must be the API key as text, .*or \{ command: /],
  [
    '{ command: x, refreshSeconds: 0 }',
    /3:59: principals\.alice\.key\.refreshSeconds must be a number of seconds from 1/,
  ],
  ['12', /principals\.alice\.key must be/],
])('key: %s is wrong', (key, message) => {
  expect(() => parsed(key)).toThrow(message);
});
