import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { expect, test } from 'vitest';
import { loadFormats } from '../../reports/load/load-formats.ts';
import { sampleLoadRecord } from '../../testing/samples/load-records.ts';
import { sampleRecord } from '../../testing/samples/run-records.ts';
import { configure as configureReport } from '../commands/report.ts';
import { contextOn, temporaryFolder } from '../../testing/try-awc.ts';

async function written(record: unknown): Promise<string> {
  const path = join(await temporaryFolder(), 'record.json');
  await writeFile(path, JSON.stringify(record));
  return path;
}

async function report(...args: readonly string[]): Promise<void> {
  const command = new Command('report').exitOverride().configureOutput({ writeErr: () => {} });
  configureReport(command, contextOn(process.stdout, process.stderr));
  await command.parseAsync(args, { from: 'user' });
}

test.each(['html', 'markdown', 'ndjson', 'openmetrics', 'otlp'] as const)(
  'the record of a load becomes %s',
  async (format) => {
    const path = await written(sampleLoadRecord());
    await report(path, '--format', format, '--out', `${path}.out`);
    expect(await readFile(`${path}.out`, 'utf8')).toBe(loadFormats[format](sampleLoadRecord()));
  },
);

test.each([
  [
    'junit',
    sampleLoadRecord(),
    /is a load record, which can be written as html, markdown, ndjson.*\. --format junit is for a run report\.$/,
  ],
  [
    'otlp',
    sampleRecord(),
    /is a run report, which can be written as html, markdown, github.*\. --format otlp is for a load record\.$/,
  ],
  ['html', { ...sampleLoadRecord(), seed: 'x' }, /is not a load record: seed: /],
  ['html', { format: 'awc-load/2' }, /is not a report of this suite: format: /],
  ['html', 'text', /is not a report of this suite/],
])('2: %s is refused for a record that does not support it', async (format, record, problem) => {
  await expect(report(await written(record), '--format', format)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(problem),
  });
});

test('2: a folder is refused, with the files to name instead', async () => {
  const message = expect.stringContaining('is a folder: name the report.json, load.json or comparison.json in it.');
  await expect(report(await temporaryFolder(), '--format', 'html')).rejects.toMatchObject({ exitCode: 2, message });
});
