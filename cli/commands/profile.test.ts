import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadKinds } from '../../load/kinds/kinds.ts';
import { awc, servedReference, temporaryFolder, writtenTarget } from '../../testing/try-awc.ts';

test.each(loadKinds.map(({ name }) => name))(
  'init writes a profile of the kind %s that check accepts',
  async (kind) => {
    const file = join(await temporaryFolder(), 'mine.yaml');
    expect(await awc('profile', 'init', file, '--kind', kind)).toMatchObject({ code: 0, err: '' });
    const { code, out } = await awc('profile', 'check', file);
    expect(code).toBe(0);
    expect(out).toContain(`is a valid profile: ${kind}, `);
  },
);

test('init replaces a file only with --force', async () => {
  const file = join(await temporaryFolder(), 'mine.yaml');
  await writeFile(file, 'mine');
  const refused = await awc('profile', 'init', file);
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('already exists')]);
  expect(await readFile(file, 'utf8')).toBe('mine');
  expect((await awc('profile', 'init', file, '--force')).code).toBe(0);
});

test.each(['nosuch', 'constructor'])('init refuses the kind %s', async (kind) => {
  const { code, err } = await awc('profile', 'init', join(await temporaryFolder(), 'mine.yaml'), '--kind', kind);
  expect(code).toBe(2);
  expect(err).toContain(`'${kind}' is invalid. Allowed choices are ${loadKinds.map(({ name }) => name).join(', ')}.`);
});

test('check says what is wrong, and what a target would get', async () => {
  const file = join(await temporaryFolder(), 'mine.yaml');
  await writeFile(
    file,
    'question: Why?\nload: { open: { rat: 5 } }\nduration: 1s\noperations: { listModels: { weight: 1 } }\n',
  );
  const wrong = await awc('profile', 'check', file);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('did you mean rate?')]);
  const target = await writtenTarget(await servedReference());
  const right = await awc('profile', 'check', 'steady', target);
  expect([right.code, right.out]).toEqual([0, expect.stringContaining('steady sends about 990 requests')]);
});

test('check names a condition that never ends the run, because it needs more requests', async () => {
  const file = join(await temporaryFolder(), 'mine.yaml');
  const lines = [
    'question: Does it answer?',
    'load: { open: { rate: 20 } }',
    'duration: 10s',
    'operations: { listModels: { weight: 1 } }',
    'abort: ["latency.p99 > 2s", "latency.p999 > 2s"]',
  ];
  await writeFile(file, lines.join('\n'));
  const { code, out } = await awc('profile', 'check', file);
  expect(code).toBe(0);
  expect(out.split('\n').filter((line) => line.startsWith('abort: '))).toEqual([
    'abort: latency.p999 > 2s needs 1,000 requests in 5 seconds. This load sends at most 20/s, so the condition never ends it.',
  ]);
});
