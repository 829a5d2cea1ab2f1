import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { describe, expect, test } from 'vitest';
import { type LoadRecord, loadRecordSchema } from '../../reports/load/load-record.ts';
import { realClock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import { configure as configureLoad } from '../commands/load.ts';
import { noticeRequests } from '../../testing/notice-requests.ts';
import { awc, contextOn, servedReference, startAwc, temporaryFolder, writtenTarget } from '../../testing/try-awc.ts';

async function profileFile(rest: string, load = 'open: { rate: 40 }'): Promise<string> {
  const path = join(await temporaryFolder(), 'short.yaml');
  const mix = 'operations:\n  listModels: { weight: 1, limits: [5] }\n';
  await writeFile(path, `question: Why?\nload:\n  ${load}\nduration: 400ms\n${mix}${rest}`);
  return path;
}

async function recordIn(folder: string): Promise<LoadRecord> {
  expect(await readdir(folder)).toEqual(['load.json']);
  return loadRecordSchema.parse(JSON.parse(await readFile(join(folder, 'load.json'), 'utf8')));
}

/** Answers take so long that a generator which a busy machine holds up for some milliseconds is still fit to measure them. */
const unhurried = ['--choice', 'pace=sluggish'];

describe('a load on the embedded reference', () => {
  test('0: says before what it sends, and ends with how fast and how right it was', async () => {
    const out = await temporaryFolder();
    const profile = await profileFile('thresholds: [violations == 0]\n');
    const { code, out: text, err } = await awc('load', '--profile', profile, '--out', out, ...unhurried);
    expect(code, text + err).toBe(0);
    expect(err).toMatch(
      /^short sends about 16 requests .* to http:\/\/127\.0\.0\.1:\d+: listModels\. It only reads\.$/m,
    );
    expect(text.trimEnd().split('\n').at(-1)).toMatch(
      /^p\d\d [\d.,]+ ms at [\d.]+ req\/s, zero violations in \d+ answers checked\.$/,
    );
    expect(await recordIn(out)).toMatchObject({ result: 'held', target: { embedded: true } });
  });

  test.each([
    ['a missed threshold', 'thresholds: [throughput > 100000/s]\n', unhurried, '✗ throughput > 100000/s'],
    [
      'a broken promise',
      'thresholds: [violations == 0]\n',
      ['--fault', 'last-cursor-absent', '--seed', '1'],
      '✗ violations == 0',
    ],
  ])('1: %s', async (_name, rest, args, wanted) => {
    const { code, out: text, err } = await awc('load', '--profile', await profileFile(rest), ...args);
    expect(text).toContain(wanted);
    expect(code, text + err).toBe(1);
  });

  test('a load in several threads says that each has sockets of its own', async () => {
    const { err } = await awc('load', '--profile', await profileFile('workers: 2\n'), ...unhurried);
    expect(err).toMatch(
      /^short sends .* over at most 512 sockets .*\n2 threads share it, and each has that many sockets\.$/m,
    );
  });

  test('4: what cannot be judged is not green', async () => {
    const { code, out: text } = await awc('load', '--profile', await profileFile('thresholds: [latency.p999 < 1h]\n'));
    expect(text).toMatch(/^\? latency\.p999 < 1h .*p999 needs 1000 answers, there were \d+$/m);
    expect(code).toBe(4);
  });

  test('4: a deployment that refuses every request was not measured', async () => {
    const wrap =
      (reference: Deployment): Deployment =>
      (request) =>
        reference(request.path.includes('limit=5') ? { ...request, path: '/api/public/nothing-here' } : request);
    const path = await writtenTarget(await servedReference({ choices: { 'rate-quota': 'none' }, wrap }));
    const profile = await profileFile(
      'thresholds: [violations == 0, errors.rate < 1%, listModels.errors.rate <= 100%]\n',
    );
    const { code, out: text } = await awc('load', path, '--profile', profile);
    expect(text.trimEnd().split('\n').at(-1)).toMatch(
      /^No verdict, because no request of listModels \(404: \d+\) succeeded; failed errors\.rate < 1%: /,
    );
    expect(text).toMatch(/^\? listModels\.errors\.rate <= 100% .*no request succeeded$/m);
    expect(code).toBe(4);
  });

  test('130: Ctrl-C ends with what was measured', async () => {
    const out = await temporaryFolder();
    const profile = await profileFile('');
    await writeFile(profile, (await readFile(profile, 'utf8')).replace('400ms', '60s'));
    const { isUnderWay, wrap } = noticeRequests(20);
    const target = await writtenTarget(await servedReference({ choices: { 'rate-quota': 'none' }, wrap }));
    const { child, ended } = startAwc(['load', target, '--profile', profile, '--out', out]);
    await isUnderWay;
    child.kill('SIGINT');
    await realClock.sleep(5);
    child.kill('SIGINT'); // npm passes on what the terminal has sent to everybody already
    const { code, out: text } = await ended;
    expect(code, text).toBe(130);
    const { result, operations, slices } = await recordIn(out);
    expect(result).toBe('interrupted');
    expect(operations[0]?.sent).toBeGreaterThan(0);
    expect(slices.length).toBeLessThan(60);
    expect(text).toContain('listModels');
  });
});

test('a load that was stopped for a while keeps the limit of the target file when it goes on', async () => {
  const out = await temporaryFolder();
  const profile = await profileFile('validate: 0%\n', 'open: { rate: 50, arrivals: constant }');
  await writeFile(profile, (await readFile(profile, 'utf8')).replace('400ms', '4s'));
  const { isUnderWay, wrap, met } = noticeRequests(10);
  const path = await writtenTarget(await servedReference({ choices: { 'rate-quota': 'none' }, wrap }));
  await appendFile(path, 'limits: { maxRequestsPerSecond: 50 }\n');
  const { child, ended } = startAwc(['load', path, '--profile', profile, '--out', out]);
  await isUnderWay;
  child.kill('SIGSTOP');
  await realClock.sleep(2000);
  child.kill('SIGCONT');
  const { out: text } = await ended;
  const { operations } = await recordIn(out);
  const sum = (read: (operation: LoadRecord['operations'][number]) => number) =>
    operations.reduce((all, operation) => all + read(operation), 0);
  const sent = sum((operation) => operation.sent);
  const capped = sum((operation) => operation.capped);
  expect(sent + capped).toBe(200);
  expect(met()).toBe(sent);
  // It was not stopped for two seconds of the four, and may send one second's worth of what was overdue.
  expect(sent).toBeLessThanOrEqual(150);
  expect(text).toMatch(/dropped +\d+ +limits\.maxRequestsPerSecond/);
});

test('the requests that look at a target before a load share the limit of the target file with it', async () => {
  const most = 10;
  const arrivedAt: number[] = [];
  const wrap =
    (reference: Deployment): Deployment =>
    (request) => {
      arrivedAt.push(performance.now());
      return reference(request);
    };
  const { principals, ...target } = await servedReference({ choices: { 'rate-quota': 'none' }, wrap });
  const path = await writtenTarget({ ...target, principals: principals.slice(0, 4) });
  await appendFile(path, `limits: { maxRequestsPerSecond: ${most} }\n`);
  const profile = await profileFile('', 'open: { rate: 10, arrivals: constant }');
  const { out: text, err } = await awc('load', path, '--profile', profile);
  expect(text, err).toContain('listModels');
  expect(arrivedAt.length).toBeGreaterThan(most);
  for (const [index, at] of arrivedAt.slice(most).entries())
    expect(at - (arrivedAt[index] ?? 0), `requests ${index} to ${index + most}`).toBeGreaterThan(1000);
  // None of the load had to be dropped for those before it.
  expect(text).not.toContain('dropped');
});

/** Runs the command in this process, which is quicker, as far as the first error. */
async function refusal(...args: readonly string[]): Promise<unknown> {
  const command = new Command('load').exitOverride().configureOutput({ writeErr: () => {} });
  configureLoad(command, contextOn(process.stdout, process.stderr));
  try {
    await command.parseAsync(args, { from: 'user' });
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('2: a load that is not run', () => {
  test('for a profile that is wrong, with the place', async () => {
    const { code, err } = await awc('load', '--profile', await profileFile('treshold: []\n'));
    expect(err).toMatch(/short\.yaml:7:1: treshold is not a field of a profile; did you mean thresholds\?/);
    expect(code).toBe(2);
  });

  test.each([
    ['that is not allowed', 'allow: []\n', 'allow: [load]'],
    ['above the limits', 'allow: [load]\nlimits: { maxRequestsPerSecond: 20 }\n', 'up to 40 requests a second'],
    ['that has nothing to send', 'allow: [load]\n', 'short has nothing to send: listModels is left out'],
  ])('%s', async (name, rest, wanted) => {
    const { principals, ...target } = await servedReference();
    const adminOf = (ids: readonly string[]) => (name === 'that has nothing to send' ? [] : ids);
    const path = await writtenTarget({
      ...target,
      principals: principals.map((principal) => ({ ...principal, adminOf: adminOf(principal.adminOf) })),
    });
    await writeFile(path, (await readFile(path, 'utf8')).replace(/allow:\n(?: {2}- .*\n)+/, rest));
    const error = await refusal(path, '--profile', await profileFile(''));
    expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(wanted) });
  });

  test.each([
    [['--shard', '3/2'], 'must be I/N'],
    [['--shard', '1/2'], '--shard needs --seed'],
    [['--profile', 'baseline', '--shard', '1/2', '--seed', '1'], 'divides the schedule of an open load'],
    [['--workers', '0'], 'must be a whole number from 1 to 64'],
    [['--profile', 'baseline', '--workers', 'auto'], '--workers divides the schedule of an open load'],
    [['--workers', '2', '--shard', '1/2', '--seed', '1'], 'choose one'],
    [['--start-at', 'noon'], 'must be a date-time'],
    [['--margin', '10%'], '--margin judges a comparison: add --baseline or --versus'],
    [['--require', 'p95', '--history', 'runs.ndjson'], '--require judges a comparison'],
    [['--build', '1.4.2'], '--build names a run in a history'],
    [['merge', 'no-such-folder'], 'does not exist'],
    [['--out', 'whole', 'merge', 'no-such-folder'], 'does not use --out before merge'],
    [['merge', 'no-such-folder', '--shard', '1/2'], "unknown option '--shard'"],
    [['export', 'targets/example.yaml', '--format', 'k6', '--rounds', '3'], "unknown option '--rounds'"],
    [['export', 'target.yaml'], "required option '--format <engine>' not specified"],
    [['export', 'target.yaml', '--format', 'wrk'], 'Allowed choices are k6, artillery'],
    [['export', 'target.yaml', '--format', 'k6', '--profile', 'baseline'], 'target.yaml: there is no such file'],
  ])('for %j', async (args, wanted) => {
    expect(await refusal(...args)).toMatchObject({ message: expect.stringContaining(wanted) });
  });

  test('for a fault that the reference does not have', async () => {
    expect(await refusal('--fault', 'nosuch')).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('There is no fault "nosuch"'),
    });
  });
});

test('export writes a script, and refuses what means something else in every engine', async () => {
  const target = await servedReference();
  const path = await writtenTarget(target);
  expect(await refusal('export', path, '--format', 'k6', '--profile', 'baseline')).toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('load.closed of baseline cannot be exported'),
  });
  expect(await refusal('export', path, '--format', 'artillery', '--profile', 'flow')).toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('load.flow.steps of flow'),
  });
  const { code, out, err } = await awc('load', 'export', path, '--format', 'artillery', '--profile', 'steady');
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain(`target: ${target.baseUrl}`);
  for (const { key } of target.principals) expect(out).not.toContain(key);
});

test('3: a target that does not answer', async () => {
  const target = await servedReference();
  const path = await writtenTarget({ ...target, baseUrl: 'http://127.0.0.1:1' });
  expect(await refusal(path, '--profile', await profileFile(''))).toMatchObject({ exitCode: 3 });
});

test('two processes that share a seed and a start are one run', async () => {
  const path = await writtenTarget(await servedReference());
  const profile = await profileFile('');
  const startAt = String((Date.now() + 2500) / 1000);
  const folders = [await temporaryFolder(), await temporaryFolder()];
  const ended = await Promise.all(
    folders.map((out, index) =>
      awc(
        'load',
        path,
        '--profile',
        profile,
        '--seed',
        '5',
        '--shard',
        `${index + 1}/2`,
        '--start-at',
        startAt,
        '--out',
        out,
      ),
    ),
  );
  for (const { code, out, err } of ended) expect([0, 4], out + err).toContain(code);
  const out = await temporaryFolder();
  const merged = await awc('load', 'merge', ...folders, '--out', out);
  expect([0, 4], merged.out + merged.err).toContain(merged.code);
  const { shards, operations } = await recordIn(out);
  const parts = await Promise.all(folders.map(recordIn));
  const sent = (records: readonly Pick<LoadRecord, 'operations'>[]) =>
    records.flatMap((record) => record.operations).reduce((sum, operation) => sum + operation.sent, 0);
  expect(shards).toEqual({ of: 2, indexes: [1, 2] });
  // A skew of their clocks shows in no record, and nothing has compared them.
  expect(merged.out.match(/The clocks of the parts were not compared/g)).toHaveLength(1);
  expect(sent([{ operations }])).toBe(sent(parts));
});
