import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { servedReference, writtenTarget } from '../../testing/try-awc.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

/** `vitest --project conformance` as in a checkout, on a target file. */
async function runProject(targetFile: string, namePattern: string): Promise<{ code: number | null; text: string }> {
  const child = spawn(
    process.execPath,
    [vitest, 'run', '--project', 'conformance', '--reporter=verbose', '-t', namePattern],
    {
      cwd: project,
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
        AWC_TARGET: targetFile,
      },
    },
  );
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, text: stripVTControlCharacters(text) };
}

test('a violated check is a failing test that says what was found, without a key', async () => {
  const target = await servedReference({ faults: ['later-pages-short'] });
  const { code, text } = await runProject(await writtenTarget(target), 'paging\\.(limit|default-limit)/');
  expect(code, text).toBe(1);
  expect(text).toMatch(/FAIL .*paging\.limit\/listModels: A page holds/);
  expect(text).toMatch(/CheckFailed: expected .* a page of \d+\ngot +\d+ items?\ncurl .*Bearer \$AWC_KEY_ALICE/);
  for (const { key } of target.principals) expect(text).not.toContain(key.slice(9, 25));
});

test('a blocked check is skipped with its reason, never passed', async () => {
  const target = await servedReference();
  const erin = { ...target, principals: target.principals.filter(({ name }) => name === 'erin') };
  const { code, text } = await runProject(await writtenTarget(erin), 'paging\\.default-limit/');
  expect(code, text).toBe(0);
  expect(text.match(/↓ .*paging\.default-limit.*\[needs an organization with 51 /g)).toHaveLength(2);
  expect(text).toMatch(/Tests +\d+ skipped \(/);
});

test('a target that is down is one error with one sentence, not a row of failures', async () => {
  const target = { ...(await servedReference()), baseUrl: 'http://127.0.0.1:9' };
  const { code, text } = await runProject(await writtenTarget(target), 'paging');
  expect(code).toBe(1);
  expect(text.match(/Error: Cannot judge http:\/\/127\.0\.0\.1:9/g)).toHaveLength(1);
  expect(text).toMatch(/Tests +no tests/);
});
