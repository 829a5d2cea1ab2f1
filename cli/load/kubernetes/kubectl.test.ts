import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRedactor } from '../../../core/redaction/redact.ts';
import { temporaryFolder } from '../../../testing/try-awc.ts';
import { createKubectl, isUnreachable } from './kubectl.ts';

const key = 'sk-alice-6f1c93aa';
const redactor = createRedactor([{ key, variable: '$AWC_KEY_ALICE' }]);

/** A kubectl that is this shell script. */
async function scripted(script: string, signal = new AbortController().signal) {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'kubectl'), `#!/bin/sh\n${script}\n`);
  await chmod(join(folder, 'kubectl'), 0o755);
  const env = { PATH: `${folder}:${process.env['PATH']}` };
  return createKubectl({ env, context: 'one', namespace: 'two', redactor, signal });
}

test('it gets the place, the arguments and the input', async () => {
  const kubectl = await scripted('echo "$@"; cat');
  expect(await kubectl(['create', '-f', '-'], { input: 'the object' })).toEqual({
    ok: true,
    out: '--context=one --namespace=two create -f -\nthe object',
    problem: '',
  });
});

test('its problem is one line without keys', async () => {
  const kubectl = await scripted(`echo 'refused:' >&2; echo '  ${key} is wrong' >&2; exit 1`);
  expect(await kubectl(['get', 'pods'])).toMatchObject({
    ok: false,
    problem: 'kubectl get: refused:; $AWC_KEY_ALICE is wrong',
  });
  expect(await (await scripted('exit 3'))(['get'])).toMatchObject({
    problem: 'kubectl get: it ended with exit code 3',
  });
});

test('lines of its log are left out where it also says what failed', async () => {
  const logged = 'E1129 16:25:49.414986   18671 memcache.go:265] "Unhandled Error" err="no API group list"';
  const failed = 'The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?';
  const script = (...lines: readonly string[]) =>
    `printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')} >&2; exit 1`;
  const said = await (await scripted(script(logged, logged, failed)))(['create']);
  expect(said).toMatchObject({ problem: `kubectl create: ${failed}` });
  expect(await (await scripted(script(logged, logged)))(['create'])).toMatchObject({
    problem: `kubectl create: ${logged}`,
  });
});

test.each([
  ['The connection to the server 127.0.0.1:1 was refused - did you specify the right host or port?', true],
  ['Unable to connect to the server: net/http: TLS handshake timeout', true],
  [
    'error: unable to recognize "STDIN": Get "http://localhost:1/api": dial tcp 127.0.0.1:1: connect: connection refused',
    true,
  ],
  ['Error from server (Forbidden): networkpolicies is forbidden', false],
  ['error: context "nope" does not exist', false],
])('%s: no connection is %s', (problem, expected) => {
  expect(isUnreachable(`kubectl create: ${problem}`)).toBe(expected);
});

test('it is killed after its time', async () => {
  const kubectl = await scripted('sleep 60');
  expect(await kubectl(['get'], { timeoutMs: 50 })).toMatchObject({
    ok: false,
    problem: 'kubectl get: it did not end within 0.05 s',
  });
});

test('an answer without end is cut off', async () => {
  const kubectl = await scripted('exec cat /dev/zero');
  expect(await kubectl(['get'])).toMatchObject({ ok: false, problem: 'kubectl get: its answer is too long' });
});

test('an interruption kills it', async () => {
  const controller = new AbortController();
  const kubectl = await scripted('echo begun; exec sleep 60', controller.signal);
  const onLine = () => controller.abort();
  await expect(kubectl(['logs'], { onLine })).rejects.toMatchObject({ exitCode: 130 });
  await expect(kubectl(['logs'])).rejects.toMatchObject({ exitCode: 130 });
});

test('lines arrive one by one', async () => {
  const lines: string[] = [];
  const kubectl = await scripted("printf 'one\\ntw'; sleep 0.1; printf 'o\\n'");
  await kubectl(['logs'], { onLine: (line) => lines.push(line) });
  expect(lines).toEqual(['one', 'two']);
});
