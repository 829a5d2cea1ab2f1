import { expect, test } from 'vitest';
import { catalogue } from '../spec/catalogue.ts';
import { openPoints } from '../spec/open-points.ts';
import { suites } from '../suites/index.ts';
import { observedOnReference } from './observations.ts';

test('a requirement has a check, or the reason why no caller can observe it, and never both', () => {
  const checked = new Set(suites.map(({ requirement }) => requirement));
  for (const { id, unobservable } of catalogue) expect(checked.has(id), id).toBe(unobservable === undefined);
});

test('a check of a requirement about several operations names the one it tests, and each of them has one', () => {
  for (const { id, operations, unobservable } of catalogue) {
    if (unobservable !== undefined) continue;
    const tested = suites.filter(({ requirement }) => requirement === id).map(({ operation }) => operation);
    for (const operation of tested) expect(operations, id).toContain(operation);
  }
});

test('no two checks have one id', () => {
  const ids = suites.map(({ id }) => id);
  expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
});

test('every open point is recorded in a run of the suite, with what the reference chose', async () => {
  const recorded = await observedOnReference();
  const points = new Set(recorded.split('\n').map((line) => line.split('  ')[0]));
  expect(openPoints.map(({ point }) => point).filter((point) => !points.has(point))).toEqual([]);
  await expect(recorded).toMatchFileSnapshot('observations.txt');
});
