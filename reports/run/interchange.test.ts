/** The formats for other tools, held against the schemas that their makers publish. */
import { validate } from 'ctrf';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { renderBadge } from './badge.ts';
import { renderCtrf } from './ctrf.ts';
import { renderHar } from './har.ts';
import { renderJunit } from './junit.ts';
import { type RunRecord, recordSchema } from '../record/record.ts';
import { goneRecord, sampleRecord } from '../../testing/samples/run-records.ts';
import { harErrors } from '../../testing/try-har.ts';

const parsed = (text: string): unknown => JSON.parse(text);

test('CTRF: a duration without end has a date', () => {
  expect(renderCtrf(sampleRecord({ durationMs: 1e300 }))).toContain('"timestamp": "+275760-09-13T00:00:00.000Z"');
});

test('CTRF: its own validator takes it, and every check has a status', () => {
  const text = renderCtrf(sampleRecord());
  expect(validate(parsed(text))).toMatchObject({ valid: true });
  expect(parsed(text)).toMatchObject({
    results: {
      summary: { tests: 5, passed: 1, failed: 2, skipped: 1, other: 1, pending: 0, start: 1768478400000 },
      tests: [
        { rawStatus: 'passed', status: 'passed' },
        { rawStatus: 'failed', status: 'failed', message: expect.stringMatching(/^expected a page of 2/) },
        { rawStatus: 'warned', status: 'other' },
        { rawStatus: 'blocked', status: 'skipped' },
        { rawStatus: 'errored', status: 'failed' },
      ],
    },
  });
  expect(validate({ ...sampleRecord() })).toMatchObject({ valid: false });
});

test('CTRF: a target that stopped answering is a failed test, because skipped ones fail no pipeline', () => {
  const text = renderCtrf(goneRecord());
  expect(validate(parsed(text))).toMatchObject({ valid: true });
  const { results } = z
    .object({ results: z.object({ summary: z.unknown(), tests: z.array(z.unknown()) }) })
    .parse(parsed(text));
  expect(results.summary).toMatchObject({ tests: 6, failed: 3 });
  expect(results.tests.at(-1)).toMatchObject({
    status: 'failed',
    message: 'No verdict: the deployment stopped answering after 3 of 5 checks.',
  });
});

test('HAR: its schema takes it, whatever stood in the addresses, and each entry says what it proves', () => {
  const text = renderHar(sampleRecord());
  expect(harErrors(text)).toBeNull();
  expect(parsed(text)).toMatchObject({
    log: {
      entries: [
        { comment: 'paging.limit/listModels', response: { status: 200, content: { size: 100_000 } } },
        { comment: 'models.columns', response: { status: 0, statusText: 'timeout' } },
        { comment: 'errors.titles' },
      ],
    },
  });
  expect(harErrors('{"log":{}}')).not.toBeNull();
});

test('HAR: an address keeps every character that a URI knows', () => {
  const url = 'https://h.test/a%2Fb/%zz?x=1&y=%20;z|"é\ud800';
  const record = parsed(
    JSON.stringify(sampleRecord()).replaceAll(/"url":"[^"\\]*(\\.[^"\\]*)*"/g, `"url":${JSON.stringify(url)}`),
  );
  const har = renderHar(recordSchema.parse(record));
  expect(har).toContain('"url": "https://h.test/a%2Fb/%25zz?x=1&y=%20;z%7C%22%C3%A9%EF%BF%BD"');
  expect(harErrors(har)).toBeNull();
});

test.each([
  ['CTRF', renderCtrf],
  ['HAR', renderHar],
])('%s can be printed: nothing in it is alive for a terminal', (_name, render: (record: RunRecord) => string) => {
  expect(render(sampleRecord())).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
});

/** What Jenkins knows in JUnit's files; its schema refuses anything else. */
const junitVocabulary: Readonly<Record<string, readonly string[]>> = {
  testsuites: ['name', 'time', 'tests', 'failures', 'errors'],
  testsuite: ['name', 'tests', 'failures', 'errors', 'time', 'skipped', 'timestamp'],
  testcase: ['name', 'time', 'classname'],
  failure: ['type', 'message'],
  error: ['type', 'message'],
  skipped: ['type', 'message'],
  'system-out': [],
};

test('JUnit: only elements and attributes that Jenkins knows', () => {
  for (const [, name = '', attributes = ''] of renderJunit(sampleRecord()).matchAll(
    /<([a-z-]+)((?: [a-z]+="[^"]*")*)\/?>/g,
  )) {
    const known = junitVocabulary[name];
    expect(known, name).toBeDefined();
    for (const [, attribute] of attributes.matchAll(/ ([a-z]+)="/g)) expect(known, name).toContain(attribute);
  }
});

test('the badge says the verdict and nothing that came from a target', () => {
  const badge = renderBadge(sampleRecord());
  expect(badge).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="\d+" height="20" role="img" aria-label="conformance: nonconformant\. 1 of 5/,
  );
  expect(badge).not.toMatch(/EVIL|script|href/);
});
