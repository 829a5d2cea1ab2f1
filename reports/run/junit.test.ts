import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { renderJunit } from './junit.ts';
import { goneRecord, sampleRecord } from '../../testing/samples/run-records.ts';

test('every verdict has its element, its text and its exchange', () => {
  const xml = renderJunit(sampleRecord());
  expect(xml).toMatch(/<testsuites name="suite" tests="5" failures="1" errors="1" time="0\.025">/);
  expect(xml).toMatch(
    /<testsuite name="lists" timestamp="2026-01-15T12:00:00\.000Z" tests="3" failures="1" errors="0" skipped="2"/,
  );
  expect(xml).toMatch(
    /<testcase classname="lists" name="paging\.limit\/listModels: A page holds limit items\." time="0\.005"><failure message="expected a page of 2/,
  );
  expect(xml).toMatch(
    /<failure [^>]*>expected [^<]*exchange GET https:\/\/example\.test\/[^<]*curl     curl &#39;https/,
  );
  expect(xml).toMatch(/<skipped message="warned: expected 4xx; got 200">/);
  expect(xml).toMatch(/<skipped message="needs 51 items/);
  expect(xml).toMatch(/<error message="[^"]*" type="errored">/);
  expect(xml.match(/<system-out>/g)).toHaveLength(2);
  expect(xml).toContain('&#62; authorization: Bearer $AWC_KEY_ALICE');
});

test('a target that stopped answering is an error, because blocked checks do not fail a pipeline', () => {
  const xml = renderJunit(goneRecord());
  expect(xml).toMatch(/<testsuite name="target" [^>]*errors="1"/);
  expect(xml).toMatch(
    /<error message="No verdict: the deployment stopped answering after 3 of 5 checks\." type="no-verdict"\/>/,
  );
});

test('no character stands in it that XML 1.0 does not know, or that turns text around', () => {
  expect(renderJunit(sampleRecord())).not.toMatch(/\p{Cf}/u);
  expect(renderJunit(sampleRecord())).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
});

test('a parser that others wrote reads it', async () => {
  const read = promisify(execFile)('python3', [
    '-c',
    'import sys, xml.dom.minidom as d; x = d.parseString(sys.argv[1]); print(len(x.getElementsByTagName("testcase")))',
    renderJunit(sampleRecord()),
  ]);
  const { stdout } = await read.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return { stdout: 'no python here' };
    throw error;
  });
  expect(['5', 'no python here']).toContain(stdout.trim());
});
