import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { once } from 'node:events';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HttpResponse } from '../core/http.ts';
import { BrokenAnswer } from '../reference/http/wire-form.ts';
import { formats } from '../reports/run/formats.ts';
import { recordSchema } from '../reports/record/record.ts';
import jsonSchema from '../reports/awc-report-1.schema.json' with { type: 'json' };
import { awc, servedReference, startAwc, temporaryFolder, writtenTarget, writtenWaivers } from '../testing/try-awc.ts';

const validate = new Ajv2020({ validateFormats: false }).compile(jsonSchema);

/** The report in a folder, held to its published schema. */
async function reportIn(folder: string) {
  const json: unknown = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
  expect(validate(json), JSON.stringify(validate.errors)).toBe(true);
  expect((await readdir(folder)).toSorted()).toEqual(['junit.xml', 'report.json']);
  return recordSchema.parse(json);
}

async function listening(answer: HttpResponse): Promise<string> {
  const server = createServer((_request, reply) => reply.writeHead(answer.status, answer.headers).end(answer.body));
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

test('0: what was selected holds, and the report says what was left out', async () => {
  const out = await temporaryFolder();
  const { code, out: text } = await startAwc(['run', '--only', 'paging.limit*', '--out', out]).ended;
  expect(code, text).toBe(0);
  const record = await reportIn(out);
  expect(record).toMatchObject({
    result: 'conformant',
    seed: 1,
    only: ['paging.limit*'],
    target: { embedded: { faults: [] } },
  });
  expect(record.requirements.find(({ id }) => id === 'models.columns')?.verdict).toBe('unselected');
  expect(text).toMatch(/^Conformant: \d+ of \d+ musts and 1 of 1 shoulds hold\. Only \d+ selected checks ran\./m);
});

describe('1: a violation', () => {
  test('stops the run after as many failed musts as --bail names, and the rest is not run', async () => {
    const out = await temporaryFolder();
    const faults = ['--fault', 'wait-ignored', '--fault', 'has-more-text'];
    const { code, out: text } = await awc('run', '--bail', '--out', out, ...faults);
    expect(code, text).toBe(1);
    const { result, checks } = await reportIn(out);
    expect(result).toBe('nonconformant');
    expect(checks.filter(({ reason = '' }) => /^not run: .* failed musts?$/.test(reason)).length).toBeGreaterThan(50);
  });

  test('is named with its requirement, shown, written and replayed', async () => {
    const out = await temporaryFolder();
    const args = ['--only', 'paging.walk', '--fault', 'item-lost-past-the-middle', '--seed', '42', '--out', out];
    const { code, out: text, err } = await awc('run', ...args);
    expect(code, text).toBe(1);
    expect(text).toMatch(/FAILED {2}paging\.walk\/listModels {2}must, section 4\.1\n {2}\w/);
    expect(text).toContain('-H "Authorization: Bearer $AWC_KEY_ALICE"');
    expect(err).toMatch(/^failed paging\.walk\/listModels: /m);
    const record = await reportIn(out);
    expect(record).toMatchObject({ result: 'nonconformant', seed: 42 });

    const failed = record.checks.find(({ verdict }) => verdict === 'failed');
    const again = await awc('replay', join(out, 'report.json'), failed?.id ?? '');
    expect(again.code, again.err).toBe(1);
    expect(failed?.counterexample?.values).toBe('limit=26'); // the smallest that is drawn
    expect(again.out).toContain(`input     ${failed?.counterexample?.values}`);
    expect(again.out).toContain(`actual    ${failed?.actual}`);
    expect((await awc('replay', join(out, 'report.json'), 'paging.wal')).err).toMatch(/The nearest: paging\.walk/);
  });

  test('of a should counts only when the run is strict', async () => {
    const args = ['run', '--only', 'paging.limit-refused', '--choice', 'limit-out-of-range=clamp'];
    const lenient = await awc(...args);
    expect(lenient.code, lenient.err).toBe(0);
    expect(lenient.out).toMatch(/WARNED {2}paging\.limit-refused/);
    expect((await awc(...args, '--strict')).code).toBe(1);
  });
});

describe('3: no verdict is possible', () => {
  test('because nothing listens', async () => {
    const path = await writtenTarget({ ...(await servedReference()), baseUrl: 'http://127.0.0.1:9' });
    const { code, out, err } = await awc('run', path);
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(/^awc: Cannot judge http:\/\/127\.0\.0\.1:9: .*nothing listens.*\n$/);
  });

  test.each([
    ['a web page', 200, 'text/html', '<!doctype html>', /^awc: This API is not at .* gets 200 with text\/html/],
    ['404 for everything', 404, 'text/plain', 'not found', /^awc: This API is not at .* gets 404 with text\/plain/],
    [
      'errors of another API',
      404,
      'application/json',
      '{"message":"no route"}',
      /^awc: This API is not at .* gets 404/,
    ],
    [
      '401 for every key',
      401,
      'application/json',
      '{"error":{"title":"t","detail":"d"}}',
      /^awc: No key works: .*alice \(the key in the file\)/,
    ],
    ['a redirect', 308, 'text/html', '', /^awc: This API is not at .* gets 308 to https:\/\/elsewhere/],
  ])('because of %s', async (_what, status, type, body, message) => {
    const headers = { 'content-type': type, ...(status === 308 ? { location: 'https://elsewhere.test/' } : {}) };
    const baseUrl = await listening({ status, headers, body: Buffer.from(body) });
    const { code, out, err } = await awc('run', await writtenTarget({ ...(await servedReference()), baseUrl }));
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(message);
    expect(err.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('4: incomplete', () => {
  test('when the target file lacks what checks need, with what would unblock them; green only on request', async () => {
    const target = await servedReference();
    const path = await writtenTarget({
      ...target,
      principals: target.principals.filter(({ name }) => name === 'erin'),
    });
    const { code, out } = await awc('run', path, '--only', 'paging.default-limit', '--only', 'paging.limit');
    expect(code, out).toBe(4);
    expect(out).toMatch(/Blocked \(not exercised\), by reason\n {2}needs an organization with 51 models/);
    expect(out).toMatch(/^Incomplete: no violation found, but \d+ of \d+ musts were not exercised\./m);
    expect(
      (await awc('run', path, '--only', 'paging.default-limit', '--only', 'paging.limit', '--allow-incomplete')).code,
    ).toBe(0);
  });

  test('when the target stops to answer one operation', async () => {
    let sent = 0;
    const target = await servedReference({
      wrap: (reference) => async (request) => {
        sent += 1;
        if (sent > 40 && request.path.includes('/data-sources'))
          throw new BrokenAnswer('reset', await reference(request));
        return reference(request);
      },
    });
    const out = await temporaryFolder();
    const args = ['--only', 'paging.limit*', '--only', 'paging.walk', '--allow-incomplete', '--out', out];
    const { code, out: text } = await awc('run', await writtenTarget(target), ...args);
    const { result, checks } = await reportIn(out);
    expect([code, result], text).toEqual([4, 'errored']);
    expect(checks.filter(({ verdict }) => verdict === 'errored').every(({ fault }) => fault === 'target')).toBe(true);
  });
});

test('5: a bug in the suite is reported as such, and is never a verdict', async () => {
  const planted = "data:text/javascript,Map.groupBy=()=>{throw%20new%20Error('planted')}";
  const { ended } = startAwc(['run', '--only', 'paging.limit'], { env: { NODE_OPTIONS: `--import ${planted}` } });
  const { code, out, err } = await ended;
  expect([code, out]).toEqual([5, '']);
  expect(err).toMatch(/^awc: bug in the suite, please report it: Error: planted/m);
});

test('6: a part of a divided load is missing, and its cause is named', async () => {
  const folder = await temporaryFolder();
  const failure = { part: 2, of: 3, reason: 'nothing listens', exitCode: 3 };
  await writeFile(join(folder, 'failed.json'), JSON.stringify(failure));
  const { code, out } = await awc('load', 'merge', folder);
  expect(code).toBe(6);
  expect(out).toBe(
    '✗ part 2 of 3: nothing listens\n✗ parts 1, 3 of 3: neither a record nor a reason\nNo verdict: 0 of 3 parts left a record.\n',
  );
});

test.each(['SIGINT', 'SIGTERM'] as const)('130: %s leaves a partial report', async (signal) => {
  const { promise: underWay, resolve } = Promise.withResolvers<void>();
  let sent = 0;
  const target = await servedReference({
    latencyMs: [40, 80],
    wrap: (reference) => (request) => {
      sent += 1;
      if (sent === 100) resolve();
      return reference(request);
    },
  });
  const out = await temporaryFolder();
  const { child, ended } = startAwc(['run', await writtenTarget(target), '--only', 'paging.*', '--out', out]);
  await underWay;
  child.kill(signal);
  const { code, out: text } = await ended;
  expect(code).toBe(130);
  const record = await reportIn(out);
  expect(record.result).toBe('interrupted');
  expect(record.checks.some(({ reason }) => reason === 'not run: the run was interrupted')).toBe(true);
  expect(text).toMatch(/^Interrupted: \d+ of \d+ checks reached a verdict\./m);
});

test('no key is in anything that leaves a run, whatever the target repeats', async () => {
  const target = await servedReference({
    faults: ['later-pages-short'],
    wrap: (reference) => async (request) => {
      const { status, headers, body } = await reference(request);
      const key = request.headers['authorization'] ?? '';
      const echo = { 'x-echo': key, 'x-encoded': Buffer.from(key).toString('base64') };
      const said = Buffer.from(body)
        .toString()
        .replace(/"detail":"/, `"detail":"${key} `);
      return { status, headers: { ...headers, ...echo }, body: Buffer.from(said) };
    },
  });
  const file = await writtenTarget(target);
  const out = await temporaryFolder();
  // Refusals of every kind, a violation and a warning; checks that wait would show no more.
  const refusals = ['auth.*/listModels', 'auth.*/getBillingAccount', 'access.*/listModels', 'access.models-404'];
  const only = [...refusals, 'paging.limit*', 'paging.any-id-is-cursor/listModels'].flatMap((id) => ['--only', id]);
  const key = target.principals[0]?.key ?? '';
  const waivers = await writtenWaivers({ waives: 'paging.any-id-is-cursor', reason: `see ${key}`, owner: key });
  const kept = ['--out', out, '--stream', join(out, 'events.ndjson'), '--waivers', waivers];
  const { code, out: text, err } = await awc('run', file, ...only, ...kept);
  expect(code).toBe(1);
  const [doctor, replay] = await Promise.all([
    awc('doctor', file),
    awc('replay', join(out, 'report.json'), 'paging.any-id-is-cursor/listModels', '--target', file),
  ]);
  const written = await Promise.all((await readdir(out)).map((name) => readFile(join(out, name), 'utf8')));
  expect(written.join('')).toContain('Waived until 2999-12-31 by $AWC_KEY_');
  const report = recordSchema.parse(JSON.parse(await readFile(join(out, 'report.json'), 'utf8')));
  const rendered = Object.values(formats).map((render) => render(report));
  const everything = [text, err, ...written, ...rendered, doctor.out, doctor.err, replay.out, replay.err].join('\n');
  expect(everything).toContain('$AWC_KEY_ALICE');
  for (const { key } of target.principals) {
    for (const part of [key.slice(9), key.slice(9, 25), Buffer.from(key.slice(9)).toString('base64').slice(0, 20)]) {
      expect(everything).not.toContain(part);
    }
  }
});

test('a replay of a deletion that passes is not reproduced, because the run used up its data source', async () => {
  const out = await temporaryFolder();
  const only = ['--only', 'delete.record'];
  const faulty = await writtenTarget(await servedReference({ faults: ['deletion-without-record'] }));
  expect((await awc('run', faulty, ...only, '--out', out)).code).toBe(1);
  const repaired = await writtenTarget(await servedReference());
  const { code, out: text } = await awc('replay', join(out, 'report.json'), 'delete.record', '--target', repaired);
  expect(text).toMatch(
    /\n\nNot reproduced: was failed, and passed now, but the run of the report deleted .*, so the replay/,
  );
  expect(code).toBe(4);
});

test('serve writes a target file on which run is conformant, and ends on SIGINT with 0', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'reference.yaml');
  const { child, ended, says } = startAwc(['serve', '--port', '0', '--out', file]);
  await says(/Ctrl-C/);
  const { code, out } = await awc('run', file, '--only', 'paging.limit*');
  expect(code, out).toBe(0);
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 0, err: '' });
});
