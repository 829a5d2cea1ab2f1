import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { checks, sampleRecord } from './sample-records.ts';
import { renderTerminal } from './terminal.ts';

const plain = { color: false };

test('the verdict is the last line, and says what a run amounts to', () => {
  const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);
  expect(lastLine(renderTerminal(sampleRecord(), plain))).toBe(
    'Nonconformant: 1 of 5 requirements broken. 42 requests in 3.2 s',
  );
  for (const result of ['conformant', 'incomplete', 'errored', 'interrupted'] as const) {
    expect(lastLine(renderTerminal(sampleRecord({ result }), plain))).toMatch(new RegExp(`^${result}: `, 'i'));
  }
  expect(lastLine(renderTerminal(sampleRecord({ only: ['paging.*'] }), plain))).toContain(
    'Only 5 selected checks were run.',
  );
});

test('a failure shows the promise, what was expected, what came, and the line that repeats it', () => {
  const text = renderTerminal(sampleRecord(), plain);
  expect(text).toMatch(
    /FAILED {2}paging\.limit\/listModels {2}must, section 4\.1\n {2}A sentence\.\n {2}expected {2}a page/,
  );
  expect(text).toMatch(/\n {2}answered {2}GET https:.*: 200 in 13 ms\n/);
  expect(text).toContain("\n  curl      curl 'https://example.test/'\n");
});

test('the table counts the verdicts of every area', () => {
  const rows = renderTerminal(sampleRecord(), plain)
    .split('\n')
    .filter((line) => /^ {2}(auth|paging|models|all) /.test(line));
  expect(rows.map((line) => line.trim().split(/ +/))).toEqual([
    ['auth', '1', '1', '·', '·', '·', '·'],
    ['paging', '3', '·', '1', '1', '1', '·'],
    ['models', '1', '·', '·', '·', '·', '1'],
    ['all', '5', '1', '1', '1', '1', '1'],
  ]);
});

test('what was blocked is grouped by reason, also what has no check', () => {
  const blocked = { verdict: 'blocked', reason: 'needs chats' } as const;
  const [first] = sampleRecord().requirements;
  const text = renderTerminal(
    sampleRecord({
      checks: checks.map((check) => ({ ...check, ...blocked })),
      requirements: first === undefined ? [] : [{ ...first, id: 'x.y', checks: [], ...blocked }],
    }),
    plain,
  );
  expect(text.match(/needs chats/g)).toHaveLength(1);
  expect(text).toMatch(/auth\.no-key\/listModels, paging.*x\.y/);
});

test('nothing that came from outside reaches the terminal alive, with colours or without', () => {
  expect(renderTerminal(sampleRecord(), plain)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  const colored = renderTerminal(sampleRecord(), { color: true });
  expect(colored).toContain('\u001b[31m');
  expect(stripVTControlCharacters(colored)).toBe(renderTerminal(sampleRecord(), plain));
});

test('a run in which everything failed stays bounded', () => {
  const many = checks
    .filter(({ verdict }) => verdict === 'failed')
    .flatMap((check) => Array.from({ length: 500 }, (_, index) => ({ ...check, title: `check ${index}` })));
  const text = renderTerminal(sampleRecord({ checks: many }), plain);
  expect(text.split('\n').length).toBeLessThan(250);
  expect(text).toContain('and 425 more');
});
