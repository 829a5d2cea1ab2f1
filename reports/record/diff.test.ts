import { describe, expect, test } from 'vitest';
import { diffRecords } from './diff.ts';
import { renderDiff } from '../run/diff-terminal.ts';
import type { CheckVerdict } from './record.ts';
import { checks, hostile, sampleRecord } from '../../testing/samples/run-records.ts';

const [first] = checks;
const runWith = (verdict: CheckVerdict) =>
  sampleRecord({ checks: first === undefined ? [] : [{ ...first, verdict }], observations: [] });

describe('a verdict that changed', () => {
  test.each([
    ['passed', 'failed', 'worse'],
    ['passed', 'warned', 'worse'],
    ['passed', 'blocked', 'worse'],
    ['passed', 'errored', 'worse'],
    ['warned', 'failed', 'worse'],
    ['blocked', 'failed', 'worse'],
    ['errored', 'failed', 'worse'],
    ['failed', 'passed', 'better'],
    ['failed', 'warned', 'better'],
    ['blocked', 'passed', 'better'],
    ['failed', 'blocked', 'unclear'],
    ['failed', 'errored', 'unclear'],
    ['blocked', 'warned', 'unclear'],
    ['blocked', 'errored', 'unclear'],
  ] as const)('from %s to %s is %s', (before, after, kind) => {
    const { changes, same } = diffRecords(runWith(before), runWith(after));
    expect([changes.map((change) => change.kind), same]).toEqual([[kind], 0]);
  });

  test('one that stays is the same', () => {
    expect(diffRecords(runWith('failed'), runWith('failed'))).toMatchObject({ changes: [], same: 1 });
  });
});

test('what became worse for one cause is one change, with the consequences folded under it', () => {
  const ids = ['auth.no-key/getBillingAccount', 'auth.wrong-scheme/getBillingAccount', 'wait.holds'];
  const runOf = (verdict: CheckVerdict) =>
    sampleRecord({
      checks: ids.flatMap((id) => {
        const requirement = id.split('/')[0] ?? '';
        return first === undefined ? [] : [{ ...first, id, requirement, title: `${id}: S.`, verdict }];
      }),
    });
  const [before, after] = [runOf('passed'), runOf('failed')];
  const text = renderDiff(diffRecords(before, after), [before, after], { color: false });
  expect(text.match(/passed → failed {2}.*/g)).toEqual([
    'passed → failed  auth.no-key/getBillingAccount: S.',
    'passed → failed  wait.holds: S.',
  ]);
  expect(text).toContain('    Explains 1 consequence: auth.wrong-scheme/getBillingAccount\n');
  expect(text).toContain('Regressed: 3 worse');
});

test('checks that only one of them ran are named, not judged', () => {
  const whole = sampleRecord();
  const part = sampleRecord({ checks: checks.slice(0, 1), only: ['auth.*'] });
  expect(diffRecords(whole, part)).toMatchObject({ changes: [], same: 1, onlyAfter: [] });
  expect(diffRecords(whole, part).onlyBefore).toHaveLength(4);
  const text = renderDiff(diffRecords(part, whole), [part, whole], { color: false });
  expect(text).toContain('! only B ran paging.limit/listModels, ');
});

test('lists the values that only one run observed, whatever their order', () => {
  const seen = (...pairs: readonly (readonly [string, string])[]) =>
    sampleRecord({ observations: pairs.map(([point, value]) => ({ point, value })) });
  const before = seen(['a', '1'], ['a', '2'], ['b', 'x'], ['c', 'y']);
  const after = seen(['a', '2'], ['a', '3'], ['b', 'x'], ['d', 'z']);
  expect(diffRecords(before, after).observations).toEqual([
    { point: 'a', before: ['1'], after: ['3'] },
    { point: 'c', before: ['y'], after: [] },
    { point: 'd', before: [], after: ['z'] },
  ]);
});

test('nothing of a report reaches the terminal alive', () => {
  const other = sampleRecord({
    checks: checks.map((check) => ({
      ...check,
      title: hostile,
      verdict: 'failed',
      expected: hostile,
      actual: hostile,
    })),
    observations: [{ point: hostile, value: `${hostile}2` }],
  });
  const text = renderDiff(diffRecords(sampleRecord(), other), [sampleRecord(), other], { color: false });
  expect(text).toMatch(/\nRegressed: 4 worse, 0 better, 0 unclear, 1 unchanged; 2 open points differ\.\n$/);
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
});
