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

test('a violated check is a failing test that says what was found, without a key, and a blocked one is skipped with its reason', async () => {
  const target = await servedReference({ faults: ['later-pages-short'] });
  const path = await writtenTarget({ ...target, allow: new Set() });
  const { code, text } = await runProject(path, '(paging\\.(limit|default-limit)|message\\.maximum)/');
  expect(code, text).toBe(1);
  expect(text).toMatch(/FAIL .*paging\.limit\/listModels: A page holds/);
  expect(text).toMatch(/CheckFailed: expected .* a page of \d+\ngot +\d+ items?\ncurl .*Bearer \$AWC_KEY_ALICE/);
  expect(text.match(/↓ .*message\.maximum.*\[not allowed: add messages /g)).toHaveLength(1);
  expect(text).toMatch(/Tests +\d+ failed \| \d+ passed \| \d+ skipped \(/);
  for (const { key } of target.principals) expect(text).not.toContain(key.slice(9, 25));
});

test('a target that is down is one error with one sentence, not a row of failures', async () => {
  const target = { ...(await servedReference()), baseUrl: 'http://127.0.0.1:9' };
  const { code, text } = await runProject(await writtenTarget(target), 'paging');
  expect(code).toBe(1);
  expect(text.match(/Error: Cannot judge http:\/\/127\.0\.0\.1:9/g)).toHaveLength(1);
  expect(text).toMatch(/Tests +no tests/);
});
