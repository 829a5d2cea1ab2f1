/** A waived violation in every format: shown with who answers for it, not red; a waiver that is out of date is. */
import { validate } from 'ctrf';
import { describe, expect, test } from 'vitest';
import { renderCtrf } from './ctrf.ts';
import { formats } from './formats.ts';
import { recordSchema } from '../record/record.ts';
import { waivedRecord } from '../../testing/samples/run-records.ts';
import { renderTerminal } from './terminal.ts';

const record = waivedRecord();
const terminal = renderTerminal(record, { color: false });

test('the record fits its schema', () => {
  expect(recordSchema.safeParse(record).error).toBeUndefined();
});

describe.each([
  ['terminal', terminal],
  ['html', formats.html(record)],
  ['markdown', formats.markdown(record)],
  ['junit', formats.junit(record)],
  ['ctrf', formats.ctrf(record)],
  ['github', formats.github(record)],
])('%s', (_name, text) => {
  test('names the reason, the owner, the expiry date, and the waivers out of date', () => {
    for (const words of ['The gateway is older.', 'Team Gateway', '2026-12-31', 'issues.example.test']) {
      expect(text.replaceAll('&#46;', '.')).toContain(words);
    }
    expect(text).toMatch(/The waiver of auth\.no-key is stale/);
    expect(text).toMatch(/The waiver of models\.columns expired on 2026/);
  });

  test('shows nothing that is alive', () => {
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  });
});

test('terminal: waived has a column, its findings, and does not hide in the verdict', () => {
  const words = terminal.split('\n').map((line) => line.trim().split(/ +/));
  expect(words).toContainEqual(['area', 'checks', 'passed', 'failed', 'warned', 'blocked', 'errored', 'waived']);
  expect(words).toContainEqual(['lists', '3', '·', '·', '1', '1', '·', '1']);
  expect(terminal).toMatch(
    /\nWAIVED {2}paging\.limit\/listModels .*\n.*\n {2}waiver {4}Waived until 2026-12-31 by Team/,
  );
  expect(terminal.trimEnd().split('\n').at(-1)).toBe(
    'Conformant except for waived violations: 1 of 4 musts and 0 of 1 shoulds hold. 1 violation is waived. ' +
      '2 waivers are out of date, which fails the run. 42 requests in 3.2 s',
  );
});

test('JUnit: waived is skipped, and the waivers are a suite in which two fail', () => {
  const xml = formats.junit(record);
  expect(xml).toMatch(/<testsuites name="suite" tests="8" failures="2" errors="1"/);
  expect(xml).toMatch(/<testsuite name="waivers" timestamp="[^"]*" tests="3" failures="2" errors="0" skipped="0"/);
  expect(xml).toMatch(/<skipped message="Waived until 2026-12-31 by Team Gateway/);
});

test('CTRF: its own validator takes it; waived is other, and two waivers fail', () => {
  const ctrf: unknown = JSON.parse(renderCtrf(record));
  expect(validate(ctrf)).toMatchObject({ valid: true });
  expect(ctrf).toMatchObject({
    results: { summary: { tests: 8, passed: 2, failed: 3, skipped: 1, other: 2, suites: 4 } },
  });
});

test('GitHub: waived is a notice', () => {
  const lines = formats.github(record).trimEnd().split('\n');
  expect(lines.map((line) => line.slice(0, line.indexOf(' title=')))).toEqual([
    '::error',
    '::error',
    '::error',
    '::warning',
    '::warning',
    '::notice',
  ]);
});

test('the badge does not say conformant', () => {
  expect(formats.badge(record)).toContain('>waived<');
});
