import { expect, test } from 'vitest';
import { asJudged } from './judged-rates.ts';
import { createKeptRates } from './kept-rates.ts';
import type { CapacityResult } from './next-trial.ts';

const remedy = 'use longer trials';
const found: CapacityResult = {
  kind: 'found',
  ratePerSecond: 100,
  brokeAtPerSecond: 110,
  interval: { lowPerSecond: 95, highPerSecond: 115 },
};

test('a rate counts as correct if each requirement was kept there, or at a higher rate', () => {
  const kept = [100, 140].map((keptAtPerSecond) => ({
    requirement: `kept.at-${keptAtPerSecond}`,
    keptAtPerSecond,
    remedy,
  }));
  expect(asJudged(found, kept)).toEqual({ result: found });
});

test('a requirement that was kept only at lower rates lowers the correct rate', () => {
  const lower = { requirement: 'lower', keptAtPerSecond: 60, remedy };
  const low = { requirement: 'low', keptAtPerSecond: 80, remedy };
  expect(asJudged(found, [lower, low, { requirement: 'kept', keptAtPerSecond: 100, remedy }])).toEqual({
    result: { kind: 'at-least', ratePerSecond: 60, limit: 'unjudged' },
    unjudged: [lower, low],
  });
});

test('a requirement that was never kept leaves no correct rate', () => {
  const never = { requirement: 'never', remedy };
  const result: CapacityResult = { kind: 'at-least', ratePerSecond: 120, limit: 'range' };
  expect(asJudged(result, [never])).toEqual({ result: { kind: 'unjudged' }, unjudged: [never] });
});

test('a rate that is too high stays too high, whatever was judged', () => {
  const below: CapacityResult = { kind: 'below', ratePerSecond: 10, limit: 'target' };
  expect(asJudged(below, [{ requirement: 'never', remedy }])).toEqual({ result: below });
});

function trials(...judged: readonly (readonly [rate: number, kept: boolean, broke: boolean])[]) {
  const rates = createKeptRates((operation) => operation !== 'deleteDataSource');
  for (const [ratePerSecond, isKept, isBroken] of judged)
    rates.add({
      ratePerSecond,
      operations: [
        { operation: 'getBillingAccount', sent: 5 },
        { operation: 'listModels', sent: 0 },
        { operation: 'deleteDataSource', sent: 1 },
      ],
      kept: [new Map(isKept ? [['attach.count', 3] as const] : [])],
      broke: isBroken ? ['attach.count'] : [],
    });
  return rates;
}

test('only what trials sent is expected of them, and a fact says why it was not judged', () => {
  const { keptAt, facts } = trials([10, false, false]);
  expect(keptAt()).toEqual([{ requirement: 'attach.count', remedy }]);
  expect(facts().find(({ name }) => name === 'attach.count')).toEqual({
    name: 'attach.count',
    value: 'not judged: no account was read again after 15 s; use longer trials',
    verdict: 'unclear',
  });
});

test('the highest rate at which a requirement was kept is below the one at which it broke', () => {
  const highest = (rates: ReturnType<typeof trials>) => rates.keptAt()[0]?.keptAtPerSecond;
  expect(highest(trials([10, true, false], [40, true, false], [20, false, false]))).toBe(40);
  expect(highest(trials([10, true, false], [40, true, false], [20, false, true]))).toBe(10);
  expect(highest(trials([40, true, false], [20, true, true]))).toBeUndefined();
});
