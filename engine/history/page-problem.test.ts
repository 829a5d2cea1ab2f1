import { expect, test } from 'vitest';
import { pageProblem } from './page-problem.ts';

const list = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, mayLack: id === 'c' }));

test.each([
  ['the whole list', undefined, 'abcde', false, undefined],
  ['a first page', undefined, 'ab', true, undefined],
  ['a page behind a cursor', 'b', 'cd', true, undefined],
  ['without what may have left', 'b', 'de', false, undefined],
  ['with something new', undefined, 'xab', true, undefined],
  ['only something new', undefined, 'x', true, undefined],
  ['an empty last page', 'e', '', false, undefined],
  ['a gap', undefined, 'ade', false, 'missing b'],
  ['a gap at its beginning', 'c', 'e', true, 'missing d'],
  ['an end too early', 'a', 'bc', false, 'missing d'],
  ['nothing where something follows', 'a', '', false, 'missing b'],
  ['the cursor itself', 'b', 'bc', true, 'before b'],
  ['the beginning again', 'd', 'ab', true, 'before a'],
  ['two swapped', undefined, 'ba', true, 'order a'],
] as const)('%s', (_what, cursor, shown, hasMore, problem) => {
  const found = pageProblem(list, cursor, shown.split(''), hasMore);
  expect(found && `${found.kind} ${found.id}`).toBe(problem);
});
