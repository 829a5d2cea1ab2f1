import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { type Hook, hookFailure, maxOutputBytes, runHook } from './run-hook.ts';

function run(command: string, changed: Partial<Hook> = {}) {
  const environment = { PATH: process.env['PATH'] };
  return runHook({ command, folder: tmpdir(), environment, timeoutMs: 10_000, ...changed });
}

test.each([
  ['echo out; echo err >&2', {}, { stdout: 'out\n', stderr: 'err\n', cut: false }, undefined],
  ['cat', { input: '{"a":1}' }, { stdout: '{"a":1}' }, undefined],
  ['exit 3', { input: 'nobody reads it'.repeat(100_000) }, { stdout: '' }, 'ended with exit code 3'],
  ['kill -9 $$', {}, {}, 'was ended by SIGKILL'],
  ['echo so far; sleep 60', { timeoutMs: 100 }, { stdout: 'so far\n' }, 'was not done after 0.1 s and was killed'],
  ['sleep 60', { signal: AbortSignal.abort() }, {}, 'was interrupted'],
  ['true', { folder: '/no/such/folder' }, {}, 'could not be started (ENOENT)'],
  ['no-such-command', {}, {}, 'ended with exit code 127'],
] as const)('%s', async (command, changed, shown, failure) => {
  const result = await run(command, changed);
  expect(result).toMatchObject(shown);
  expect(hookFailure(result)).toBe(failure);
});

test('what it left running delays nothing', async () => {
  const { stdout, end } = await run('sleep 60 & echo $!');
  expect(end).toEqual({ kind: 'exited', code: 0 });
  expect(process.kill(Number(stdout))).toBe(true); // throws when it is gone
});

test('of too much output the beginning is kept', async () => {
  const { stdout, cut, end } = await run('head -c 3000000 /dev/zero');
  expect([stdout.length, cut, end]).toEqual([maxOutputBytes, true, { kind: 'exited', code: 0 }]);
});
