import { expect, test } from 'vitest';
import { suites } from '../index.ts';
import { mostImportantFirst } from './most-important-first.ts';

test('one check of each must comes first, then other checks of musts, then shoulds, and all are kept', () => {
  const ordered = mostImportantFirst(suites);
  expect(ordered.map(({ id }) => id).toSorted()).toEqual(suites.map(({ id }) => id).toSorted());
  const musts = new Set(suites.filter(({ level }) => level === 'must').map(({ requirement }) => requirement));
  const first = ordered.slice(0, musts.size);
  expect(new Set(first.map(({ requirement }) => requirement))).toEqual(musts);
  const levels = ordered.map(({ level }) => level);
  expect(levels.lastIndexOf('must')).toBeLessThan(levels.indexOf('should'));
});

test('a must that reading shows is first judged by reading', () => {
  const seen = new Set<string>();
  for (const { id, requirement, uses } of mostImportantFirst(suites)) {
    if (seen.has(requirement)) continue;
    seen.add(requirement);
    const others = suites.filter((other) => other.requirement === requirement);
    if (others.some((other) => other.uses.length + other.mayUse.length === 0)) expect(uses, id).toEqual([]);
  }
});
