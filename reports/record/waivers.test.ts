import { describe, expect, test } from 'vitest';
import { buildRecord } from './build.ts';
import { exitCode } from './exit-code.ts';
import type { AcceptedGap, CheckRecord, CheckVerdict, Waiver } from './record.ts';
import { check } from '../../engine/check.ts';
import { resultWord, verdictSentence } from './verdict-sentence.ts';
import { waiverProblems, type Waivers } from './waivers.ts';

const models = check('paging.limit', { on: 'listModels' }, async () => {});
const sources = check('paging.limit', { on: 'listDataSources' }, async () => {});
const should = check('paging.limit-refused', { on: 'listModels' }, async () => {});
const selected = [models, sources, should];

const day = Date.UTC(2027, 0, 31, 23, 59);

function waiver(waives: string, expires = '2027-01-31'): Waiver {
  return { waives, reason: 'R', owner: 'O', link: 'https://x.test', expires };
}

type Verdicts = readonly [CheckVerdict, CheckVerdict, CheckVerdict];

/** A run in which the three checks ended so. */
function run(verdicts: Verdicts, ...waivers: readonly Waiver[]) {
  return runWith(verdicts, { waivers, acceptedGaps: [] });
}

function runWith(verdicts: Verdicts, waivers: Waivers, suite = selected) {
  const done = suite.map(({ id, requirement, operation, level, title }, index): CheckRecord => {
    const verdict = verdicts[index] ?? 'passed';
    return { id, requirement, operation, level, title, verdict, exchanges: [], durationMs: 1 };
  });
  const facts = {
    target: { name: 'T', baseUrl: 'x' },
    seed: 1,
    strict: false,
    only: ['*'],
    durationMs: 1,
    requests: 2,
  };
  const more = { observations: [], notes: [], problems: [], interrupted: false, startedAt: day };
  return buildRecord(suite, suite, done, { ...facts, ...more, waivers });
}

const fails: Verdicts = ['failed', 'passed', 'passed'];
const passes: Verdicts = ['passed', 'passed', 'passed'];

test('a waived violation is green, is counted apart, and keeps its verdict', () => {
  const record = run(fails, waiver('paging.limit/listModels'));
  expect([record.result, exitCode(record, false)]).toEqual(['waived', 0]);
  expect(record.summary).toEqual({ passed: 2, failed: 0, warned: 0, blocked: 0, errored: 0, waived: 1 });
  expect(record.checks[0]).toMatchObject({ verdict: 'failed', waived: waiver('paging.limit/listModels') });
  expect(record.requirements.find(({ id }) => id === 'paging.limit')?.verdict).toBe('waived');
  expect(record.waivers).toEqual([
    { ...waiver('paging.limit/listModels'), state: 'applied', checks: ['paging.limit/listModels'] },
  ]);
});

test.each([
  ['of a requirement covers all of its checks', ['failed', 'failed', 'passed'], waiver('paging.limit'), 'waived', 0],
  ['of a check covers no other', ['failed', 'failed', 'passed'], waiver('paging.limit/listModels'), 'nonconformant', 1],
  ['covers a broken should', ['passed', 'passed', 'warned'], waiver('paging.limit-refused'), 'conformant', 0],
  ['does not cover what is blocked', ['blocked', 'passed', 'passed'], waiver('paging.limit'), 'incomplete', 4],
  ['does not cover what came to no verdict', ['errored', 'passed', 'passed'], waiver('paging.limit'), 'errored', 4],
  ['is in force on its last day', fails, waiver('paging.limit', '2027-01-31'), 'waived', 0],
  ['is not in force the day after', fails, waiver('paging.limit', '2027-01-30'), 'nonconformant', 1],
] as const)('a waiver %s', (_what, verdicts, one, result, code) => {
  const record = run(verdicts, one);
  expect([record.result, exitCode(record, false)]).toEqual([result, code]);
});

describe('a waiver that is out of date fails a run that is green otherwise', () => {
  test.each([
    ['everything it covers passed', passes, waiver('paging.limit'), 'stale'],
    ['it expired', fails, waiver('paging.limit', '2026-12-31'), 'expired'],
    ['it expired, and what it covered passed', passes, waiver('paging.limit', '2026-12-31'), 'expired'],
  ] as const)('because %s', (_what, verdicts, one, state) => {
    const record = run(verdicts, one);
    expect(record.waivers[0]?.state).toBe(state);
    expect(exitCode(record, true)).toBe(1);
    expect(waiverProblems(record)).toEqual([expect.stringMatching(/^The waiver of paging\.limit .*\(owner: O\)\.$/)]);
  });

  test('but not while a check it covers is blocked', () => {
    const record = run(['passed', 'blocked', 'passed'], waiver('paging.limit'));
    expect(record.waivers[0]?.state).toBe('untested');
    expect([exitCode(record, false), exitCode(record, true)]).toEqual([4, 0]);
    expect(waiverProblems(record)).toEqual([]);
  });
});

describe('an accepted gap', () => {
  const gap = (notExercised: string, expires = '2027-01-31'): AcceptedGap => {
    return { notExercised, reason: 'R', owner: 'O', expires };
  };
  const accepting = (verdicts: Verdicts, ...acceptedGaps: readonly AcceptedGap[]) =>
    runWith(verdicts, { waivers: [], acceptedGaps });

  test('makes a run green that exercised everything else, is counted apart, and keeps the verdict', () => {
    const record = accepting(['blocked', 'passed', 'passed'], gap('paging.limit/listModels'));
    expect([record.result, exitCode(record, false)]).toEqual(['conformant-with-gaps', 0]);
    expect(record.summary).toEqual({ passed: 2, failed: 0, warned: 0, blocked: 0, errored: 0, waived: 0, accepted: 1 });
    expect(record.checks[0]).toMatchObject({ verdict: 'blocked', accepted: gap('paging.limit/listModels') });
    expect(record.requirements.find(({ id }) => id === 'paging.limit')?.verdict).toBe('accepted');
    expect(record.acceptedGaps).toEqual([
      { ...gap('paging.limit/listModels'), state: 'applied', checks: ['paging.limit/listModels'] },
    ]);
    expect(`${resultWord(record)}: ${verdictSentence(record)}`).toBe(
      'Conformant, with accepted gaps: 0 of 1 musts and 1 of 1 shoulds hold. 1 must was not exercised, as accepted. Only 3 selected checks ran.',
    );
  });

  test.each<[string, Verdicts, AcceptedGap, string, number]>([
    ['of a check covers no other', ['blocked', 'blocked', 'passed'], gap('paging.limit/listModels'), 'incomplete', 4],
    [
      'of a requirement covers all of its checks',
      ['blocked', 'blocked', 'passed'],
      gap('paging.limit'),
      'conformant-with-gaps',
      0,
    ],
    ['hides no violation', ['blocked', 'failed', 'passed'], gap('paging.limit'), 'nonconformant', 1],
    ['hides no check without a verdict', ['errored', 'blocked', 'passed'], gap('paging.limit'), 'errored', 4],
    [
      'of a should leaves the result as it is',
      ['passed', 'passed', 'blocked'],
      gap('paging.limit-refused'),
      'conformant',
      0,
    ],
    [
      'that expired covers nothing',
      ['blocked', 'passed', 'passed'],
      gap('paging.limit', '2027-01-30'),
      'incomplete',
      4,
    ],
    ['is stale once all of it is exercised', ['passed', 'passed', 'blocked'], gap('paging.limit'), 'conformant', 1],
    [
      'is stale once it is exercised and violated',
      ['failed', 'passed', 'passed'],
      gap('paging.limit'),
      'nonconformant',
      1,
    ],
  ])('%s', (_what, verdicts, one, result, code) => {
    const record = accepting(verdicts, one);
    expect([record.result, exitCode(record, false)]).toEqual([result, code]);
  });

  test('never makes a run green that exercised nothing', () => {
    const record = accepting(['blocked', 'blocked', 'blocked'], gap('paging.limit'), gap('paging.limit-refused'));
    expect([record.result, exitCode(record, true)]).toEqual(['incomplete', 4]);
  });

  test.each<[string, Verdicts, string]>([
    ['once all other checks are exercised', ['passed', 'blocked', 'passed'], 'stale'],
    ['but not while another check is blocked', ['blocked', 'passed', 'passed'], 'applied'],
    ['but not if nothing is exercised', ['blocked', 'blocked', 'passed'], 'applied'],
  ])('is stale although an extended check is blocked, %s', (_what, verdicts, state) => {
    const record = runWith(verdicts, { waivers: [], acceptedGaps: [gap('paging.limit')] }, [
      models,
      { ...sources, extended: true },
      should,
    ]);
    expect(record.acceptedGaps).toMatchObject([{ state }]);
  });

  test('that is out of date is named with its owner', () => {
    const stale = accepting(passes, gap('paging.limit'));
    expect(waiverProblems(stale)).toEqual([
      'The accepted gap paging.limit is stale: the run exercised it. Remove it (owner: O).',
    ]);
    expect(exitCode(stale, true)).toBe(1);
  });
});
