import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleRecord } from '../../testing/samples/run-records.ts';
import { awc, temporaryFolder } from '../../testing/try-awc.ts';

async function written(name: string, text: string): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, text);
  return path;
}

test.each([
  [[], 0],
  [['--strict'], 1],
])('an unknown text is named line by line, and with %j the exit code is %i', async (options, code) => {
  const spec = await written('spec.md', '# 4.1 Lists\n\nThe first one. The\nsecond ##[error] one.\n');
  const out = join(await temporaryFolder(), 'spec.html');
  const ended = await awc('annotate', spec, '--out', out, ...options);
  expect(ended).toMatchObject({ code, err: '' });
  expect(ended.out).toMatch(/^not covered: line 3, section 4\.1 [0-9a-f]{16}: The first one\.$/m);
  expect(ended.out).toMatch(/^not in the text: section 4\.1 [0-9a-f]{16}$/m);
  expect(ended.out).toMatch(/^3 sentences and table rows: 3 not covered, \d+ known ones not in the text\.$/m);
  expect(ended.out).not.toContain('##[');
  expect(await readFile(out, 'utf8')).toContain('The first one.');
});

test('with --digests, every sentence has a line', async () => {
  const spec = await written('spec.md', '# 4.1 Lists\n\nThe first one. The second one.\n');
  const { code, out } = await awc('annotate', spec, '--digests', '--out', join(await temporaryFolder(), 'spec.html'));
  expect(code).toBe(0);
  expect(out).toMatch(
    /^section 4\.1 [0-9a-f]{16}: The first one\. \[\]\nsection 4\.1 [0-9a-f]{16}: The second one\. \[\]\n/m,
  );
});

test('with a report, the page names its target', async () => {
  const report = await written('report.json', JSON.stringify(sampleRecord()));
  const out = join(await temporaryFolder(), 'spec.html');
  const { code } = await awc('annotate', await written('spec.md', ''), '--report', report, '--out', out);
  expect(code).toBe(0);
  expect(await readFile(out, 'utf8')).toContain('Verdicts: <strong>');
});

test.each([
  ['no text', () => [], 'needs the text of the specification'],
  ['no such file', () => ['nosuch.md'], 'nosuch.md: there is no such file.'],
  ['a folder', async () => [await temporaryFolder()], 'there is no such file.'],
  ['a text that is too large', async () => [await written('a.md', 'x'.repeat(1024 ** 2 + 1))], 'is larger than 1 MiB.'],
  ['too many sentences', async () => [await written('a.md', 'A.\n\n'.repeat(5001))], 'more than 5000 sentences.'],
  [
    'a report that is none',
    async () => [await written('a.md', 'A.'), '--report', await written('report.json', '{}')],
    'report.json',
  ],
])('exit code 2 and no page: %s', async (_what, args, message) => {
  const out = join(await temporaryFolder(), 'spec.html');
  const ended = await awc('annotate', ...(await args()), '--out', out);
  expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) });
  await expect(readFile(out)).rejects.toThrow('ENOENT');
});

test('exit code 2 without --out', async () => {
  expect(await awc('annotate', await written('a.md', 'A.'))).toMatchObject({ code: 2, out: '' });
});
