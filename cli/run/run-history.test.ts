import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordSchema } from '../../reports/record/record.ts';
import { awc, temporaryFolder } from '../../testing/try-awc.ts';

const some = ['--only', 'paging.limit'];
const broken = ['--fault', 'later-pages-short'];

test('a history shows since which build a requirement fails, on the screen and in the reports', async () => {
  const folder = await temporaryFolder();
  const kept = ['--history', join(folder, 'runs.ndjson'), '--out', folder];
  const first = await awc('run', ...some, ...kept, '--build', '1.0');
  expect(first.out).toMatch(/^History \(1 run\): no requirement fails, and none changed\.$/m);
  const second = await awc('run', ...some, ...kept, '--build', '1.1', ...broken);
  const sentence = /paging\.limit fails since build 1\.1 \(.*\), in 1 run; it last passed in build 1\.0 /;
  expect(second.out).toMatch(sentence);
  expect(second.code).toBe(1);

  const path = join(folder, 'report.json');
  const { history } = recordSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  expect(history).toMatchObject({
    runs: 2,
    failing: [{ requirement: 'paging.limit', since: { build: '1.1' } }],
  });
  expect((await awc('report', path, '--format', 'html')).out).toMatch(sentence);

  const third = await awc('run', ...some, ...kept, '--build', '1.1');
  expect(third.out).toMatch(/paging\.limit flips: on build 1\.1 it passed in 1 run and failed in 1 run\./);
});

test('a file that is not a history of runs is left alone', async () => {
  const path = join(await temporaryFolder(), 'runs.ndjson');
  await writeFile(path, '{"format":"awc-history/1"}\n');
  const { code, err } = await awc('run', ...some, '--history', path);
  expect(code).toBe(2);
  expect(err).toContain(`${path} is not a history`);
  expect(await readFile(path, 'utf8')).toBe('{"format":"awc-history/1"}\n');
});

test('a build without a history is refused', async () => {
  const { code, err } = await awc('run', ...some, '--build', '1.0');
  expect(code).toBe(2);
  expect(err).toContain('--build names a run in a history: add --history, or remove it.');
});
