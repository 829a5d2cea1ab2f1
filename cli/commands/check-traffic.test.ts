import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordSchema } from '../../reports/record/record.ts';
import { maxHarBytes } from '../../traffic/har.ts';
import { baseUrl, harOf, recordedRun } from '../../testing/try-traffic.ts';
import { awc, temporaryFolder } from '../../testing/try-awc.ts';

test('a run, reported as HAR, is judged again from that alone: kept by the reference, broken by a fault', async () => {
  const folder = await temporaryFolder();
  const [right, wrong, out] = ['right', 'wrong', 'judged'].map((name) => join(folder, name));
  const only = ['--only', 'paging.limit*', '--only', 'models.filter', '--only', 'errors.body'];
  await Promise.all([
    awc('run', ...only, '--out', `${right}`),
    awc('run', ...only, '--fault', 'errors-flat', '--out', `${wrong}`),
  ]);
  const [kept, broken] = await Promise.all(
    [right, wrong].map(async (run) => {
      await awc('report', `${run}/report.json`, '--format', 'har', '--out', `${run}.har`);
      return awc('check-traffic', `${run}.har`, ...(run === wrong ? ['--out', `${out}`] : []));
    }),
  );
  expect(kept?.code, kept?.out).toBe(0);
  expect(kept?.out).toContain('Nothing was sent.');
  expect(broken?.code, broken?.out).toBe(1);
  const record = recordSchema.parse(JSON.parse(await readFile(join(`${out}`, 'report.json'), 'utf8')));
  expect(record.checks.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id)).toContain('errors.body');
  expect(record).toMatchObject({ requests: 0, target: { name: 'wrong.har', baseUrl: 'http://reference.invalid' } });
});

test('nothing judged is 4, a wrong file 2 with the remedy', async () => {
  const folder = await temporaryFolder();
  const [silent, broken] = [join(folder, 'silent.har'), join(folder, 'broken.har')];
  const { entries } = await recordedRun({}, (id) => id === 'billing.record');
  const unread = entries.map((entry) => ({ ...entry, response: { ...entry.response, status: 0 } }));
  await writeFile(silent, harOf(unread));
  await writeFile(broken, '{"log":');
  const large = join(folder, 'large.har');
  await writeFile(large, '{');
  await truncate(large, maxHarBytes + 1);
  const [none, wrong, heavy] = await Promise.all([
    awc('check-traffic', silent, '--base-url', baseUrl),
    awc('check-traffic', broken),
    awc('check-traffic', large),
  ]);
  expect(heavy).toMatchObject({ code: 2, out: '' });
  expect(heavy.err).toContain('over 256 MiB: split it');
  expect(none.code, none.out).toBe(4);
  expect(wrong).toMatchObject({ code: 2, out: '' });
  expect(wrong.err).toContain('broken.har is no HAR');
});
