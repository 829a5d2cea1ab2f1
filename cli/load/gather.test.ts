import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadProfile } from '../../load/profile/profile-file.ts';
import { arrivals } from '../../load/schedule/arrivals.ts';
import { type LoadRecord, loadRecordSchema } from '../../reports/load/load-record.ts';
import { awc, awcWith, servedReference, startAwc, temporaryFolder, writtenTarget } from '../../testing/try-awc.ts';

async function profileFile(duration: string): Promise<string> {
  const path = join(await temporaryFolder(), 'checkout.yaml');
  await writeFile(
    path,
    `question: Why?\nload: { open: { rate: 60 } }\nduration: ${duration}\noperations: { listModels: { weight: 1, limits: [5] } }\nthresholds: [throughput > 40/s]\n`,
  );
  return path;
}

async function targetFile(): Promise<string> {
  return writtenTarget(await servedReference({ choices: { 'rate-quota': 'none' } }));
}

async function recordIn(folder: string): Promise<LoadRecord> {
  return loadRecordSchema.parse(JSON.parse(await readFile(join(folder, 'load.json'), 'utf8')));
}

/** A coordinator of its own process, and its parts in this one. */
async function gathered(of: number, args: readonly string[] = []) {
  const { child, ended, says } = startAwc(['load', 'gather', '--shards', String(of), ...args]);
  const url = await says(/^Listening at (\S+) for/m);
  const part = (index: number, target: string, profile: string, ...more: readonly string[]) => {
    const shard = ['--shard', `${index}/${of}`, '--gather', url];
    return awc('load', target, '--profile', profile, '--seed', '7', ...shard, ...more);
  };
  return { child, ended, says, url, part };
}

/** Lets the clock of a process be five seconds behind. */
const clockBehind = {
  NODE_OPTIONS:
    "--import data:text/javascript,Object.defineProperty(performance,'timeOrigin',{value:performance.timeOrigin-5000})",
};

function sentIn(records: readonly LoadRecord[]): number {
  return records.flatMap(({ operations }) => operations).reduce((sum, { sent }) => sum + sent, 0);
}

test('parts meet, start together and hand over their records, and the coordinator judges the whole', async () => {
  const out = await temporaryFolder();
  const [target, profile] = [await targetFile(), await profileFile('2s')];
  const { ended, part } = await gathered(2, ['--out', out, '--json']);
  const parts = await Promise.all([1, 2].map((index) => part(index, target, profile)));
  const { code, out: text, err } = await ended;
  for (const { code: own, out: log } of parts) {
    expect(own, log).toBe(0);
    expect(log).toMatch(/^Part \d of 2: p95 /m);
    expect(log).not.toContain('throughput >');
  }
  expect([0, 4], text + err).toContain(code); // a busy machine may have held a part up, which is no verdict
  expect(text).toContain('throughput > 40/s');
  expect(loadRecordSchema.parse(JSON.parse(text.trimEnd().split('\n').at(-1) ?? ''))).toEqual(await recordIn(out));
  expect(err).toMatch(/^part [12] of 2 is here \(1 of 2\)$/m);
  expect(err).toMatch(/^part 2 of 2 has handed over its record: Part 2 of 2: /m);
  const whole = await recordIn(out);
  expect(whole).toMatchObject({ profile: { name: 'checkout' }, shards: { of: 2, indexes: [1, 2] } });
  const own = await Promise.all([1, 2].map((index) => recordIn(join(out, `part-${index}`))));
  const { schedule } = loadProfile(profile, {}).load;
  if (schedule === undefined) throw new Error('the profile is not of an open load');
  const scheduled = [...arrivals(schedule, 7)].length;
  expect([sentIn([whole]), sentIn(own)]).toEqual([scheduled, scheduled]);
  for (const { shards, result, thresholds } of own) {
    expect(shards.clock?.uncertaintyMs).toBeLessThan(250);
    expect({ result, thresholds }).toEqual({ result: 'unjudged', thresholds: [] });
  }
});

test('a part whose clock is wrong starts with the others, and the report mentions its clock', async () => {
  const out = await temporaryFolder();
  const [target, profile] = [await targetFile(), await profileFile('1s')];
  const { ended, url, part } = await gathered(2, ['--out', out]);
  const args = ['load', target, '--profile', profile, '--seed', '7', '--shard', '2/2', '--gather', url];
  const behind = startAwc(args, { env: clockBehind });
  expect(await part(1, target, profile)).toMatchObject({ code: 0 });
  expect(await behind.ended).toMatchObject({ code: 0 });
  const { out: text } = await ended;
  expect(text).toMatch(
    /^! part 2: its clock is 5\.0 s behind the coordinator's \(± [\d.]+ ms\), and its start was corrected$/m,
  );
  expect(text).not.toContain('the parts started');
  const starts = await Promise.all([1, 2].map(async (index) => (await recordIn(join(out, `part-${index}`))).startedAt));
  expect(new Set(starts).size).toBe(2);
});

test('6: a part that fails is named with its cause, the other does not start, and neither is judged', async () => {
  const [target, profile] = [await targetFile(), await profileFile('60s')];
  const gone = await writtenTarget({ ...(await servedReference()), baseUrl: 'http://127.0.0.1:9' });
  const [one, two] = [await temporaryFolder(), await temporaryFolder()];
  const { ended, says, part } = await gathered(2);
  const first = part(1, target, profile, '--out', one);
  await says(/part 1 of 2 is here/);
  const second = await part(2, gone, profile, '--out', two);
  const { code, out, err } = await ended;
  expect(second.code).toBe(3);
  expect(await first).toMatchObject({ code: 6, err: expect.stringContaining('the load was stopped before its start') });
  expect(code, err).toBe(6);
  expect(out).toMatch(/^✗ part 2 of 2: Cannot judge http:\/\/127\.0\.0\.1:9: .*nothing listens/m);
  expect(out).toMatch(/^No verdict: 0 of 2 parts left a record\.$/m);

  const merged = await awc('load', 'merge', one, two);
  expect(merged.code).toBe(6);
  expect(merged.out).toMatch(/^✗ part 2 of 2: Cannot judge http:\/\/127\.0\.0\.1:9/m);
});

test('130: a coordinator that is stopped lets the parts stop, and shows what they measured without a verdict', async () => {
  const [target, profile] = [await targetFile(), await profileFile('60s')];
  const { child, ended, says, part } = await gathered(2);
  const parts = [1, 2].map((index) => part(index, target, profile));
  const startAt = Date.parse(await says(/^all parts start at (\S+Z)/m));
  await expect.poll(() => Date.now() > startAt + 500, { timeout: 60_000 }).toBe(true);
  child.kill('SIGTERM');
  for (const { code, err } of await Promise.all(parts)) {
    expect(code).toBe(130);
    expect(err).toContain('! This part was stopped: the coordinator was interrupted.');
  }
  const { code, out } = await ended;
  expect(code).toBe(130);
  expect(out).toMatch(/^Interrupted: p\d\d/m);
});

test('a merge names a part that left nothing, and judges no part as the whole', async () => {
  const [target, profile] = [await targetFile(), await profileFile('300ms')];
  const out = await temporaryFolder();
  await writeFile(join(out, 'failed.json'), '{}');
  const part = await awc('load', target, '--profile', profile, '--seed', '7', '--shard', '1/3', '--out', out);
  expect(part.code, part.err).toBe(0);
  const { code, out: text } = await awc('load', 'merge', out, await temporaryFolder());
  expect(code).toBe(6);
  expect(text).toBe('✗ parts 2, 3 of 3: neither a record nor a reason\nNo verdict: 1 of 3 parts left a record.\n');
});

describe('a secret', () => {
  const secret = 'a-secret-of-many-characters';
  const env = { AWC_GATHER_TOKEN: secret };

  test('lets parts in, and no output has it', async () => {
    const [target, profile] = [await targetFile(), await profileFile('300ms')];
    const { ended, says } = startAwc(['load', 'gather', '--shards', '1', '--within', '30s'], { env });
    const url = await says(/^Listening at (\S+) for/m);
    const args = ['load', target, '--profile', profile, '--seed', '7', '--shard', '1/1', '--gather', url];
    const stranger = await awc(...args);
    expect(stranger).toMatchObject({ code: 2, err: expect.stringContaining('AWC_GATHER_TOKEN') });
    const part = await startAwc(args, { env }).ended;
    expect(part.code, part.err).toBe(0);
    const { code, out, err } = await ended;
    expect([0, 1, 4], out + err).toContain(code);
    expect([part.out, part.err, out, err].join('')).not.toContain(secret);
  });

  test.each<[string[], Record<string, string>, RegExp]>([
    [['--listen', '0.0.0.0:0'], {}, /other machines can reach 0\.0\.0\.0: set AWC_GATHER_TOKEN/],
    [['--listen', '[::]:0'], {}, /other machines can reach ::/],
    [['--listen', '0.0.0.0:0'], { AWC_GATHER_TOKEN: 'short' }, /must have 16 to 256/],
    [['--listen', '127.0.0.1:70000'], env, /must be HOST:PORT/],
    [['--listen', '192.0.2.1:1'], env, /cannot listen on 192\.0\.2\.1:1 \(EADDRNOTAVAIL\): name another address/],
  ])('%j with %j is refused', async (args, given, message) => {
    const { code, err } = await awcWith(given, 'load', 'gather', '--shards', '2', ...args);
    expect(code, err).toBe(2);
    expect(err).toMatch(message);
    for (const value of Object.values(given)) expect(err).not.toContain(value);
  });
});

test.each([
  [['--shard', '1/2', '--gather', 'http://127.0.0.1:1', '--start-at', '1'], '--gather and --start-at'],
  [['--gather', 'http://127.0.0.1:1'], '--gather needs --shard'],
  [['--shard', '1/2', '--gather', '127.0.0.1:1'], 'must be http://HOST:PORT'],
  [['--shard', '1/1001'], 'N up to 1000'],
  [['gather'], "required option '--shards <n>'"],
  [['gather', '--shards', '2', '--profile', 'steady'], "unknown option '--profile'"],
])('awc load %j is refused', async (args, message) => {
  expect(await awc('load', ...args)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
});
