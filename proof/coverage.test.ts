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

test('a run of the suite on the reference records every open point, and sends what it did before', async () => {
  const { points, requests } = await observedOnReference();
  const recorded = new Set(points.split('\n').map((line) => line.split('  ')[0]));
  expect(openPoints.map(({ point }) => point).filter((point) => !recorded.has(point))).toEqual([]);
  await expect(points).toMatchFileSnapshot('observations.txt');
  await expect(requests).toMatchFileSnapshot('requests.txt');
});
