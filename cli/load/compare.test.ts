import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Command } from '@commander-js/extra-typings';
import { expect, test } from 'vitest';
import { comparisonRecordSchema } from '../../reports/load/comparison-record.ts';
import { simulatedRecord } from '../../testing/simulated/record.ts';
import { quietBuild as quiet, type SimulatedBuild, simulateTrial, slower } from '../../testing/simulated/trials.ts';
import { createDraw } from '../../load/schedule/draw.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { configure as configureCompare } from '../commands/compare.ts';
import { configure as configureLoad } from '../commands/load.ts';
import type { Context } from '../shared/context.ts';
import { awc, contextOn, servedReference, temporaryFolder, writtenTarget } from '../../testing/try-awc.ts';

const draw = createDraw(3);
let drawn = 0;
const random = () => draw.at((drawn += 1), 0);

/** Runs of a build, every second minute; the minutes between are left to the other one. */
function runsOf(build: SimulatedBuild, count: number, minute: number): readonly LoadRecord[] {
  return Array.from({ length: count }, (_, index) =>
    simulatedRecord(simulateTrial(build, { ratePerSecond: 250, seconds: 5 }, random), 2 * index + minute),
  );
}

/** A folder of runs, as several rounds leave it behind. */
async function written(records: readonly LoadRecord[]): Promise<string> {
  const folder = await temporaryFolder();
  for (const [index, record] of records.entries()) {
    const inner = join(folder, String(index + 1).padStart(2, '0'));
    await mkdir(inner);
    await writeFile(join(inner, 'load.json'), JSON.stringify(record));
  }
  return folder;
}

/** Runs a command in this process, which is quicker. */
async function inProcess(configure: (command: Command, context: Context) => void, ...args: readonly string[]) {
  const captured = new PassThrough({ encoding: 'utf8' });
  const stream = Object.assign(Object.create(process.stdout), { write: (text: string) => captured.write(text) });
  const ended: { code: number | undefined; error: unknown } = { code: undefined, error: undefined };
  const command = new Command('awc').exitOverride().configureOutput({ writeErr: () => {} });
  configure(command, { ...contextOn(stream), end: (code) => void (ended.code = code) });
  try {
    await command.parseAsync(args, { from: 'user' });
  } catch (error) {
    ended.error = error;
  }
  return { ...ended, text: String(captured.read() ?? '') };
}

const before = runsOf(quiet, 12, 0);
const required = ['--require', 'p50,p95,throughput'];

test.each<readonly [number, string, readonly LoadRecord[], readonly string[], RegExp]>([
  [0, 'no worse', runsOf(quiet, 12, 1), ['--margin', '10%', ...required], /^B is no worse than A by more than 10%/m],
  [1, 'worse', runsOf(slower(quiet, 1.2, 1.2), 6, 1), required, /^B is worse than A: p50, p90, p95/m],
  [4, 'too close', runsOf(quiet, 6, 1), ['--margin', '0.001%'], /^No verdict on whether B is worse .*p50/m],
  [4, 'too few rounds', runsOf(slower(quiet, 1.5, 1.5), 3, 1), [], /^No verdict on whether B is worse/m],
])('%i: %s', async (expected, _name, after, args, wanted) => {
  const a = await written(before.slice(0, after.length));
  const { code, text, error } = await inProcess(configureCompare, a, await written(after), ...args);
  expect(error).toBeUndefined();
  expect(text).toMatch(wanted);
  expect(code, text).toBe(expected);
});

test('single runs are distinguished with the help of a history, and not without', async () => {
  const history = join(await temporaryFolder(), 'history.ndjson');
  const lines = Array.from({ length: 14 }, (_, index) => {
    const wobble = 1 + 0.01 * ((index * 7) % 5);
    const figures = {
      p50: 5000 * wobble,
      p90: 7800 * wobble,
      p95: 8900 * wobble,
      p99: 11_000 * wobble,
      throughput: 250,
    };
    const at = `2026-10-${String(index + 10)}T10:00:00Z`;
    return JSON.stringify({ format: 'awc-history/1', series: 'Simulated steady 00000000', build: '', at, figures });
  });
  await writeFile(history, `${lines.join('\n')}\n`);
  const [a, b] = [await written(before.slice(0, 1)), await written(runsOf(slower(quiet, 1.5, 1.5), 1, 1))];
  const without = await inProcess(configureCompare, a, b);
  expect(without.code, without.text).toBe(4);
  const informed = await inProcess(configureCompare, a, b, '--history', history);
  expect(informed.text).toMatch(/^B is worse than A/m);
  expect(informed.code).toBe(1);
});

test('2: for what cannot be compared', async () => {
  const a = await written(before);
  const [first] = before;
  if (first === undefined) throw new Error('no run');
  const closed = await written([{ ...first, profile: { ...first.profile, kind: 'closed' } }]);
  const empty = await temporaryFolder();
  const profile = await profileFile();
  for (const [configure, args, wanted] of [
    [configureCompare, [a, closed], 'is not an open load'],
    [configureCompare, [a, empty], 'contains no load.json'],
    [configureCompare, [a, join(empty, 'nothing')], 'does not exist'],
    [configureCompare, [a, a, '--margin', '0%'], 'percentage above 0'],
    [configureCompare, [a, a, '--require', 'p75'], 'They are p50'],
    [configureLoad, ['--profile', profile, '--baseline', a], 'is from another profile'],
    [configureLoad, ['--profile', profile, '--baseline', closed], 'is not an open load'],
    [configureLoad, ['--profile', 'baseline', '--baseline', a], 'only open loads are compared'],
    [configureLoad, ['--profile', profile, '--baseline', a, '--versus', 'x.yaml'], 'choose one'],
    [configureLoad, ['--profile', profile, '--history', 'h', '--versus', 'x.yaml'], 'leave it out with --versus'],
    [configureLoad, ['--profile', profile, '--shard', '1/2', '--seed', '1', '--rounds', '4'], 'merge the parts first'],
    [configureLoad, ['--profile', profile, '--rounds', '0'], 'whole number from 1'],
  ] as const) {
    const { error } = await inProcess(configure, ...args);
    expect(error, args.join(' ')).toMatchObject({ message: expect.stringContaining(wanted) });
  }
});

async function profileFile(): Promise<string> {
  const path = join(await temporaryFolder(), 'short.yaml');
  const mix = 'operations:\n  listModels: { weight: 1, limits: [5] }\n';
  await writeFile(
    path,
    `question: Why?\nload:\n  open: { rate: 100 }\nduration: 800ms\nwarmUp: 300ms\nvalidate: 0%\n${mix}`,
  );
  return path;
}

/** Slow enough that a generator which a busy machine holds up for some milliseconds is still fit to measure it. */
async function slowTarget(): Promise<string> {
  return writtenTarget(await servedReference({ latencyMs: [100, 100] }));
}

const tolerant = ['--rounds', '4', '--require', 'p50,throughput', '--margin', '100%'];

// A busy machine may make the generator the bottleneck.
test('a build by turns with itself is no worse, and one that takes its time is', { retry: 2 }, async () => {
  const target = await slowTarget();
  const out = await temporaryFolder();
  const profile = await profileFile();
  const same = await awc('load', target, '--profile', profile, '--versus', target, ...tolerant, '--out', out);
  expect(same.out).toMatch(/^B against A: 4 rounds of both builds, interleaved\.$/m);
  expect(same.code, same.out + same.err).toBe(0);
  expect(same.out.match(/^[AB] \d/gm)?.join(', ')).toBe('A 1, B 1, B 2, A 2, A 3, B 3, B 4, A 4');
  expect([await readdir(out), await readdir(join(out, 'a'))]).toEqual([
    ['a', 'b', 'comparison.json'],
    ['01', '02', '03', '04'],
  ]);
  const file = join(out, 'comparison.json');
  const record = comparisonRecordSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  expect(record).toMatchObject({ verdict: 'no-worse', unit: 'round', margin: 1, confidence: 0.95, b: { runs: 4 } });
  expect(same.out).toContain('95% interval');
  const html = await awc('report', file, '--format', 'html');
  expect(html.out).toContain(record.sentence);
  expect(html.out).toContain('95% interval');
  expect((await awc('report', file, '--format', 'markdown')).err).toContain(
    '--format markdown is for a run report and a load record.',
  );
  const again = await inProcess(configureCompare, join(out, 'a'), join(out, 'b'), ...tolerant.slice(2));
  expect(again.code).toBe(0);
  expect(same.out).toContain(again.text);
  const slow = await awc('load', '--choice', 'pace=sluggish', '--profile', profile, '--versus', target, ...tolerant);
  expect(slow.out).toMatch(/^B is worse than A: p50/m);
  expect(slow.code, slow.out + slow.err).toBe(1);
});

test('a file that is not a history is left alone', async () => {
  const path = join(await temporaryFolder(), 'target.yaml');
  await writeFile(path, 'name: Mine\n');
  const { error } = await inProcess(configureLoad, '--profile', 'steady', '--history', path);
  expect(String(error)).toContain(`${path} is not a history`);
  expect(await readFile(path, 'utf8')).toBe('name: Mine\n');
});

test('a baseline is a run made before, and the history gets a line', async () => {
  const target = await slowTarget();
  const folder = await temporaryFolder();
  const history = join(folder, 'history.ndjson');
  const profile = await profileFile();
  const common = ['load', target, '--profile', profile, '--history', history];
  const first = await awc(...common, '--out', join(folder, 'base'), '--build', '1.0');
  expect(first.code, first.out + first.err).toBe(0);
  const second = await awc(...common, '--baseline', join(folder, 'base', 'load.json'), '--build', '1.1');
  expect(second.out).toMatch(/it takes 4 runs of each build, or a history/);
  expect(second.code, second.out + second.err).toBe(4);
  expect(second.out).toMatch(/^2 runs of Embedded reference short [0-9a-f]{8}\.$/m);
  const lines = (await readFile(history, 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).build)).toEqual(['1.0', '1.1']);
});
