import { expect, test } from 'vitest';
import { matchesGlob } from './glob.ts';

test.each([
  ['paging.*', 'paging.limit/listModels', true],
  ['paging.limit', 'paging.limit', true],
  ['paging.limit', 'paging.limit-cap', false],
  ['*/listModels', 'paging.limit/listModels', true],
  ['*.limit*/list?odels', 'paging.limit-cap/listModels', true],
  ['*', '', true],
  ['?', '', false],
  ['', '', true],
  ['', 'a', false],
  ['a*b*c', 'aXbYbZc', true],
  ['a*b*c', 'aXbYbZ', false],
  ['paging?limit', 'paging.limit', true],
  ['paging.limit', 'pagingXlimit', false],
  ['a**', 'a', true],
])('%j fits %j: %j', (pattern, text, expected) => {
  expect(matchesGlob(pattern, text)).toBe(expected);
});

test('a pattern of many stars is judged in little time', () => {
  expect(matchesGlob(`${'a*'.repeat(200)}b`, 'a'.repeat(20_000))).toBe(false);
});
