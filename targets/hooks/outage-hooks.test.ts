import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Blocked } from '../../engine/verdict.ts';
import { outageHooks } from './outage-hooks.ts';

function hooksOf(hooks: string) {
  const folder = mkdtempSync(join(tmpdir(), 'awc-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 't.yaml');
  writeFileSync(path, `name: N\nbaseUrl: http://127.0.0.1:1\nprincipals: { a: { key: key_of_a } }\nhooks: ${hooks}\n`);
  return { folder, outages: () => outageHooks(path, { PATH: process.env['PATH'] }) };
}

test('each command gets its seconds, and there are no others', async () => {
  const { folder, outages } = hooksOf(
    '{ clock: echo $AWC_SECONDS >> said, pause: echo pause >> said, setup: echo x >> said }',
  );
  const { clock, pause, ...others } = outages();
  await clock?.(-300);
  await pause?.(10);
  expect(readFileSync(join(folder, 'said'), 'utf8')).toBe('-300\npause\n');
  expect(others).toEqual({});
});

test('a command that fails blocks, with the last line that it said', async () => {
  const { failover } = hooksOf("{ failover: 'echo one >&2; echo no other node >&2; exit 3' }").outages();
  await expect(failover?.(0)).rejects.toThrow(new Blocked('hooks.failover ended with exit code 3: no other node'));
});

test('a hook that is no command is an error with its place', () => {
  expect(hooksOf('{ pause: 3 }').outages).toThrow(/t\.yaml:4:17: hooks\.pause must be a command, such as/);
  expect(hooksOf('{ pauses: x }').outages).toThrow(/t\.yaml:4:\d+: hooks\.pauses is not a field/);
});
