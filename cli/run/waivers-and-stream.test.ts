import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordSchema } from '../../reports/record/record.ts';
import { type RunEvent, runEventSchema } from '../../reports/record/run-event.ts';
import { awc, servedReference, temporaryFolder, writtenTarget, writtenWaivers } from '../../testing/try-awc.ts';

function eventsIn(text: string): readonly RunEvent[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => runEventSchema.parse(JSON.parse(line)));
}

const broken = [
  'run',
  '--only',
  'paging.any-id-is-cursor',
  '--only',
  'paging.default-limit',
  '--fault',
  'later-pages-short',
];

test('waivers make a run green, and the stream holds what the report holds', async () => {
  const out = await temporaryFolder();
  const waivers = await writtenWaivers({ waives: 'paging.any-id-is-cursor', reason: 'Old \u202e gateway.' });
  const kept = ['--out', out, '--stream', join(out, 'events.ndjson'), '--waivers', waivers];
  const { code, out: text, err } = await awc(...broken, ...kept);
  expect(code, text).toBe(0);
  expect(text).toMatch(/^Conformant except for waived violations: .* 4 violations are waived\./m);
  expect(err).not.toMatch(/^failed /m);

  const written = await readFile(join(out, 'report.json'), 'utf8');
  const record = recordSchema.parse(JSON.parse(written));
  expect(record).toMatchObject({ result: 'waived', waivers: [{ state: 'applied', reason: 'Old \u202e gateway.' }] });
  const stream = await readFile(join(out, 'events.ndjson'), 'utf8');
  const [start, ...rest] = eventsIn(stream);
  expect(start).toMatchObject({
    event: 'start',
    checks: record.checks.map(({ id }) => id),
    startedAt: record.startedAt,
  });
  expect(rest.at(-1)).toMatchObject({
    event: 'end',
    result: 'waived',
    summary: record.summary,
    waivers: record.waivers,
  });
  const streamed = rest.flatMap((event) => (event.event === 'verdict' ? [event.check] : []));
  expect(new Map(streamed.map((check) => [check.id, check]))).toEqual(
    new Map(record.checks.map((check) => [check.id, check])),
  );
  for (const artefact of [written, stream]) expect(artefact).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
});

test('a stream to standard output is all that is there; a stale waiver ends with 1 and says so', async () => {
  const waivers = await writtenWaivers({ waives: 'paging.limit' });
  const { code, out, err } = await awc('run', '--only', 'paging.limit', '--stream', '-', '--waivers', waivers);
  expect(code, err).toBe(1);
  expect(eventsIn(out).at(-1)).toMatchObject({ event: 'end', result: 'conformant', waivers: [{ state: 'stale' }] });
  expect(err).toMatch(/^! The waiver of paging\.limit is stale: .*\(owner: Somebody\)\.$/m);
  expect(err).toMatch(/^Conformant: .* 1 waiver is out of date, which fails the run\./m);
});

describe('what is wrong ends with 2 before anything is sent', () => {
  test('a file of waivers that names nothing', async () => {
    const waivers = await writtenWaivers({ waives: 'paging.limt' });
    const { code, out, err } = await awc('run', '--waivers', waivers);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(
      /^awc: \S+waivers\.yaml:1:\d+: this waiver names paging\.limt, which is not a .* mean paging\.limit\?$/m,
    );
  });

  test('a stream that cannot be written', async () => {
    const { code, out, err } = await awc('run', '--stream', join(await temporaryFolder(), 'no', 'events'));
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^awc: \S+ cannot be written \(ENOENT\)\.\n$/);
  });
});

test('diff judges two deployments with one seed, and shows how their choices differ', async () => {
  const [a, b] = await Promise.all([
    writtenTarget(await servedReference()),
    writtenTarget(await servedReference({ choices: { 'limit-out-of-range': 'clamp' } })),
  ]);
  const out = await temporaryFolder();
  const { code, out: text, err } = await awc('diff', a, b, '--only', 'paging.limit-*', '--out', out);
  expect(code, err).toBe(1);
  expect(text).toMatch(/^ {2}passed → warned {2}paging\.limit-refused\/listModels: /m);
  expect(text).toMatch(/ {2}paging\.limit-out-of-range\n {4}only A {2}400 .*\n {4}only B {2}a page of 1 /);
  const records = await Promise.all(
    ['a', 'b'].map(async (name) =>
      recordSchema.parse(JSON.parse(await readFile(join(out, name, 'report.json'), 'utf8'))),
    ),
  );
  expect(records[0]?.seed).toBe(records[1]?.seed);
  const mixed = await awc('diff', join(out, 'b', 'report.json'), a, '--only', 'paging.limit-refused');
  expect(mixed.code, mixed.err).toBe(0);
  expect((await awc('diff', a, join(out, 'missing.yaml'))).err).toMatch(/missing\.yaml: there is no such file/);
});
