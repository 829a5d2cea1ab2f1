import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { awc, type Ended, servedReference, temporaryFolder, writtenTarget } from '../testing/try-awc.ts';

const command = '##vso[task.complete result=Failed;] ##[error]x ##teamcity[buildStop]';

const profile = join(await mkdtemp(join(tmpdir(), 'awc-profile-')), 'short.yaml');
await writeFile(
  profile,
  `question: Why ${command}?\nload:\n  open: { rate: 20 }\nduration: 300ms\noperations:\n  listModels: { weight: 1, limits: [5] }\n`,
);
afterAll(() => rm(dirname(profile), { recursive: true }));

/** What the runners of CI systems look for in a log. */
function commandsIn({ out, err }: Ended): readonly string[] {
  return `${out}\n${err}`.split('\n').filter((line) => /^\s*::|##\w*\[/.test(line));
}

describe('no line of a log is a command of a CI system', () => {
  test.each([['run', '--only', 'paging.limit-maximum*'], ['doctor'], ['load', '--profile', profile]])(
    'awc %s',
    { timeout: 60_000 },
    async (name, ...options) => {
      const path = await writtenTarget({ ...(await servedReference()), name: command });
      const hook = `echo '::error::x ${command}' >&2; echo '  ::set-output name=a::b' >&2`;
      await writeFile(path, `${await readFile(path, 'utf8')}\nhooks:\n  setup: ${JSON.stringify(hook)}\n`);
      const out = name === 'doctor' ? [] : ['--out', await temporaryFolder()];
      const ended = await awc(name, path, ...options, ...out);
      // A load on a busy machine may have no verdict.
      expect(name === 'load' ? [0, 4] : [0], ended.out + ended.err).toContain(ended.code);
      expect(ended.out + ended.err).toContain('# #vso[task.complete');
      expect(commandsIn(ended)).toEqual([]);
    },
  );

  test('an event of a run stays the same JSON', async () => {
    const path = await writtenTarget({ ...(await servedReference()), name: command });
    const ended = await awc(
      'run',
      path,
      '--only',
      'paging.limit-maximum*',
      '--stream',
      '-',
      '--out',
      await temporaryFolder(),
    );
    expect(commandsIn(ended)).toEqual([]);
    expect(JSON.parse(ended.out.split('\n', 1)[0] ?? '')).toMatchObject({ target: { name: command } });
  });
});

test('an error shows no control character of an untrusted report', async () => {
  const path = join(await temporaryFolder(), 'report.json');
  await writeFile(
    path,
    JSON.stringify({ format: '\u001b]0;title\u0007\u001b[2J', '\u001b[31m': 1, checks: { '\u009b31m': [] } }),
  );
  for (const ended of [
    await awc('report', path, '--format', 'html'),
    await awc('diff', path, path),
    await awc('\u001b[31m'),
  ]) {
    expect(ended.code).toBe(2);
    expect(ended.err).not.toMatch(/(?!\n)\p{Cc}/u);
  }
});
