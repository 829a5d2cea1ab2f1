import { createServer } from 'node:tls';
import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import { type Deployment, TransportError } from '../core/http.ts';
import { createReference } from '../reference/reference.ts';
import { targetFile } from '../reference/target-file.ts';
import { recordSchema } from '../reports/record/record.ts';
import { parseTarget } from '../targets/target-file.ts';
import type { TargetFile } from '../targets/target-schema.ts';
import { selfSigned } from '../testing/network/certificates.ts';
import { listen } from '../testing/network/network-servers.ts';
import { CannotRun } from './cannot-run.ts';
import { run, type RunOptions } from './run.ts';

/** A reference that a program has in its own process, and the target that it writes. */
function inProcess(faults: readonly string[] = [], wrap: (reference: Deployment) => Deployment = (same) => same) {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1, faults, baseUrl: 'http://localhost' });
  const data: TargetFile = parseTarget(targetFile(target), 'reference.yaml', {}).raw;
  return { data, options: { deployment: wrap(deployment), clock, seed: 1 } satisfies RunOptions };
}

test('a deployment that is a function is judged like any other', async () => {
  const { data, options } = inProcess();
  const seen: string[] = [];
  const only = ['auth.*', 'paging.*', 'errors.body'];
  const record = await run(data, {
    ...options,
    only,
    onCheck: ({ id }, done, of) => seen.push(`${done}/${of} ${id}`),
  });
  expect(recordSchema.parse(record)).toEqual(record);
  expect([record.result, record.seed, record.only]).toEqual(['conformant', 1, only]);
  expect(seen).toHaveLength(record.checks.length);
  expect(seen.at(-1)).toBe(`${seen.length}/${seen.length} errors.body`);
});

test('what it breaks is found', async () => {
  const { data, options } = inProcess(['later-pages-short']);
  const record = await run(data, { ...options, only: ['paging.limit'] });
  expect([record.result, record.checks[0]?.curl]).toEqual(['nonconformant', expect.stringContaining('$AWC_KEY_')]);
});

test('a run that is aborted keeps the verdicts that there are, and sends nothing more', async () => {
  const controller = new AbortController();
  let sent = 0;
  const { data, options } = inProcess([], (reference) => (request) => {
    sent += 1;
    return reference(request);
  });
  const record = await run(data, {
    ...options,
    signal: controller.signal,
    onCheck: (_check, done) => {
      if (done === 5) controller.abort();
    },
  });
  const sentThen = sent;
  expect([record.result, record.summary.passed]).toEqual(['interrupted', 5]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(sent).toBe(sentThen);
});

test.each<[string, Deployment]>([
  ['throws', () => Promise.reject(new Error('boom'))],
  ['rejects as it should', () => Promise.reject(new TransportError('reset', 'gone'))],
  ['returns nothing of use', () => JSON.parse('{"promise":"none"}')],
])('a function that %s leaves nothing to judge', async (_what, deployment) => {
  const { data, options } = inProcess();
  const failure = await run(data, { ...options, deployment }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CannotRun);
  expect(failure).toMatchObject({
    reason: 'unreachable',
    message: expect.stringMatching(/^Cannot judge http:\/\/localhost/),
  });
});

test('a target of data that cannot be reached is diagnosed like one of a file', async ({ skip }) => {
  const pair = selfSigned(30);
  if (pair === undefined) return skip('needs openssl to make a certificate');
  const url = await listen(createServer(pair));
  const { data } = inProcess();
  const failure = await run({ ...data, baseUrl: url }).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    reason: 'unreachable',
    message: expect.stringContaining('The port speaks TLS: begin baseUrl with https://.'),
  });
});

test.each<[string, unknown, RunOptions, RegExp]>([
  ['a file that is not there', 'missing.yaml', {}, /^missing\.yaml: there is no such file/],
  [
    'a field that there is not',
    { name: 'X', baseUrl: 'http://x', principal: {} },
    {},
    /the target: principal is not a field of a target; did you mean principals\?/,
  ],
  [
    'no key',
    { name: 'X', baseUrl: 'http://x', principals: { a: { key: '' } } },
    {},
    /the target: no principal has a key/,
  ],
  ['a pattern that fits nothing', 'missing.yaml', { only: ['pagin.*'] }, /no check matches only: pagin\.\*/],
  ['no such folder of own checks', 'missing.yaml', { suites: 'missing' }, /missing is no folder that can be read/],
])('%s is an error that says so', async (_what, target, options, message) => {
  const failure = await run(JSON.parse(JSON.stringify(target)), options).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(CannotRun);
  expect(failure).toMatchObject({ reason: 'usage', message: expect.stringMatching(message) });
});
