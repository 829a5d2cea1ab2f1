import { describe, expect, test } from 'vitest';
import { buildRecord } from './build.ts';
import { exitCode } from './exit-code.ts';
import type { CheckRecord, CheckVerdict, Waiver } from './record.ts';
import { check } from '../../engine/check.ts';
import { waiverProblems } from './waivers.ts';

const models = check('paging.limit', async () => {}, { on: 'listModels' });
const sources = check('paging.limit', async () => {}, { on: 'listDataSources' });
const should = check('paging.limit-refused', async () => {}, { on: 'listModels' });
const selected = [models, sources, should];

const day = Date.UTC(2027, 0, 31, 23, 59);

function waiver(waives: string, expires = '2027-01-31'): Waiver {
  return { waives, reason: 'R', owner: 'O', link: 'https://x.test', expires };
}

/** A run in which the three checks ended so. */
function run(verdicts: readonly [CheckVerdict, CheckVerdict, CheckVerdict], ...waivers: readonly Waiver[]) {
  const done = selected.map(({ id, requirement, operation, level, title }, index): CheckRecord => {
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
  return buildRecord(selected, selected, done, { ...facts, ...more, waivers });
}

const fails: readonly [CheckVerdict, CheckVerdict, CheckVerdict] = ['failed', 'passed', 'passed'];
const passes: readonly [CheckVerdict, CheckVerdict, CheckVerdict] = ['passed', 'passed', 'passed'];

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
