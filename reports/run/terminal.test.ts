import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { CheckRecord } from '../record/record.ts';
import { checks, goneRecord, sampleRecord } from '../../testing/samples/run-records.ts';
import { renderTerminal } from './terminal.ts';

const plain = { color: false };

test('the verdict is the last line, and names the result', () => {
  const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);
  expect(lastLine(renderTerminal(sampleRecord(), plain))).toBe(
    'Nonconformant: 1 of 5 requirements violated. 42 requests in 3.2 s',
  );
  for (const result of ['conformant', 'incomplete', 'errored', 'interrupted'] as const) {
    expect(lastLine(renderTerminal(sampleRecord({ result }), plain))).toMatch(new RegExp(`^${result}: `, 'i'));
  }
  expect(lastLine(renderTerminal(goneRecord(), plain))).toBe(
    'No verdict: the deployment stopped answering after 3 of 5 checks. 42 requests in 3.2 s',
  );
  expect(lastLine(renderTerminal({ ...goneRecord(), result: 'nonconformant' }, plain))).toMatch(
    /^Nonconformant: 1 of 5 requirements violated\. The deployment stopped answering after 3 of 5 checks\. /,
  );
  expect(lastLine(renderTerminal(sampleRecord({ only: ['paging.*'] }), plain))).toContain(
    'Only 5 selected checks ran.',
  );
});

test('a failure shows the requirement, expected and actual, the exchange, and the curl line', () => {
  const text = renderTerminal(sampleRecord(), plain);
  expect(text).toMatch(
    /FAILED {2}paging\.limit\/listModels {2}must, section 4\.1\n {2}A sentence\.\n {2}expected {2}a page/,
  );
  expect(text).toMatch(/\n {2}exchange {2}GET https:.*: 200 in 13 ms\n/);
  expect(text).toContain("\n  curl      curl 'https://example.test/'\n");
});

test('the table counts the verdicts of every area', () => {
  const rows = renderTerminal(sampleRecord(), plain)
    .split('\n')
    .filter((line) => /^ {2}(authentication|lists|models|all) /.test(line));
  expect(rows.map((line) => line.trim().split(/ +/))).toEqual([
    ['authentication', '1', '1', '·', '·', '·', '·'],
    ['lists', '3', '·', '1', '1', '1', '·'],
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

function sampleOf(verdict: CheckRecord['verdict']): CheckRecord {
  const found = checks.find((check) => check.verdict === verdict);
  if (found === undefined) throw new Error(`no check is ${verdict}`);
  return found;
}

const failed = sampleOf('failed');
const warned = sampleOf('warned');

/** Failures of as many requirements of one area, on as many operations each. */
function failures(area: string, requirements: number, operations: number) {
  return Array.from({ length: requirements * operations }, (_, index) => {
    const requirement = `${area}.r${Math.floor(index / operations)}`;
    return { ...failed, requirement, id: `${requirement}/o${index % operations}` };
  });
}

/** The checks shown in full. */
const inFull = (text: string) => Array.from(text.matchAll(/^(?:FAILED|WARNED) {2}(\S+)/gm), ([, id]) => id);

const should: CheckRecord = { ...failed, level: 'should', requirement: 'access.denied', id: 'access.denied' };

test.each<readonly [CheckRecord[], readonly string[]]>([
  [
    [...failures('auth', 2, 3), ...failures('paging', 1, 2)],
    ['auth.r0/o0', 'paging.r0/o0', 'auth.r1/o0'],
  ],
  [failures('auth', 1, 5), ['auth.r0/o0']],
  [
    [should, ...failures('auth', 1, 2), warned],
    ['auth.r0/o0', 'access.denied', 'paging.limit-refused/listModels'],
  ],
])('the findings in full differ as much as possible, musts first', (own, expected) => {
  expect(inFull(renderTerminal(sampleRecord({ checks: own }), plain))).toEqual(expected);
});

test('the other findings have a line for each requirement, and the screen says where they are in full', () => {
  const record = sampleRecord({ checks: [...failures('auth', 5, 2), warned] });
  const text = renderTerminal(record, { ...plain, out: 'results' });
  expect(text).toMatch(
    /\n {2}Explains 1 more check of this requirement:\n {4}auth\.r2\/o1\n\n4 more failed\n {2}auth\.r3: .*\n {4}auth\.r3\/o0, auth\.r3\/o1\n {2}auth\.r4: .*\n/,
  );
  expect(text).toMatch(/\n1 warned\n {2}paging\.limit-refused: A sentence\.\n/);
  expect(text).toMatch(
    /\nAlso in results\/report\.json: 8 more findings .* awc report results\/report\.json --format html --out report\.html\n/,
  );
  expect(renderTerminal(record, plain)).toContain('--out DIR writes them to a report.');
});

test('observations are on the screen only if nothing broke', () => {
  const observed = 'Observed where the specification leaves a choice';
  expect(renderTerminal(sampleRecord(), plain)).not.toContain(observed);
  expect(renderTerminal(sampleRecord({ summary: { ...none, passed: 1 } }), plain)).toContain(observed);
});

test('many observations are only in the report', () => {
  const observations = Array.from({ length: 11 }, (_, index) => ({ point: `point.${index}`, value: 'short' }));
  const text = renderTerminal(sampleRecord({ summary: { ...none, passed: 1 }, observations }), plain);
  expect(text).not.toContain('Observed where');
  expect(text).toContain('Not shown here: the observations at 11 open points. --out DIR writes them to a report.');
});

test('errors that did not recur are on the screen, however many observations there are', () => {
  const others = Array.from({ length: 11 }, (_, index) => ({ point: `point.${index}`, value: 'short' }));
  const rendered = (value: string) =>
    renderTerminal(sampleRecord({ observations: [...others, { point: 'errors.passing', value }] }), plain);
  expect(rendered('listModels: 500')).toMatch(/\nErrors that did not recur .*\n {2}listModels: 500\n/);
  expect(rendered('none')).not.toContain('did not recur');
});

test('the values of observations begin in the same column', () => {
  const observations = ['rate.body', 'access.message-without-role'].map((point) => ({ point, value: 'short' }));
  const text = renderTerminal(sampleRecord({ summary: { ...none, passed: 1 }, observations }), plain);
  expect(text).toMatch(/\n {2}rate\.body {19}short\n {2}access\.message-without-role short\n/);
});

test('a run that sent nothing does not say how long that took', () => {
  expect(renderTerminal(sampleRecord({ requests: 0 }), plain)).toMatch(/requirements violated\.\n$/);
});

test('without a must, there is no verdict on conformance', () => {
  const requirements = sampleRecord().requirements.map((one) => ({ ...one, level: 'should' as const }));
  const text = renderTerminal(sampleRecord({ result: 'conformant', requirements }), plain);
  expect(text).toMatch(
    /\nNo verdict on conformance: no must was selected\. 1 of 4 shoulds hold\. 1 should was not exercised\. /,
  );
});

test('the screen says where an observation that it cuts is in full', () => {
  const passed = { ...none, passed: 1 };
  const observing = (value: string) => sampleRecord({ summary: passed, observations: [{ point: 'rate.body', value }] });
  expect(renderTerminal(observing('short'), plain)).not.toContain('Not shown here');
  expect(renderTerminal(observing('long '.repeat(60)), plain)).toContain(
    'Not shown here: the observations at 1 open point. --out DIR writes them to a report.',
  );
});

const none = { passed: 0, failed: 0, warned: 0, blocked: 0, errored: 0, waived: 0 } as const;

test('a run in which everything failed stays on a screen or two', () => {
  const text = renderTerminal(sampleRecord({ checks: failures('auth', 100, 6) }), plain);
  expect(text.split('\n').length).toBeLessThan(100);
  expect(text).toContain('and 77 more causes');
});

test('areas in which every check passed share a row where others did not', () => {
  const passed = ['auth', 'access', 'models', 'rate'].map((area) => ({ ...sampleOf('passed'), id: `${area}.x` }));
  const text = renderTerminal(sampleRecord({ checks: [...passed, ...failures('paging', 1, 2)] }), plain);
  expect(text).toMatch(/\n {2}lists +2 .*\n {2}4 others +4 +4 .*\n {2}all +6 /);
  expect(renderTerminal(sampleRecord({ checks: passed }), plain)).not.toContain('others');
});

test('the last line agrees with the exit code where an own check failed', () => {
  const own = { ...failed, id: 'own.region', requirement: 'own.region' };
  const text = renderTerminal(sampleRecord({ result: 'conformant', checks: [sampleOf('passed'), own] }), plain);
  expect(text.trimEnd().split('\n').at(-1)).toMatch(/^Conformant, but own checks failed: /);
  const passed = { ...sampleOf('passed'), id: 'own.region', requirement: 'own.region' };
  expect(renderTerminal(sampleRecord({ result: 'conformant', checks: [passed] }), plain)).not.toContain(
    'but own checks',
  );
});
