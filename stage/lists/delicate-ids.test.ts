import { expect, test } from 'vitest';
import { delicateIds } from './delicate-ids.ts';

test.each([
  ['none', [], []],
  ['the longest alone', ['a1', 'b22', 'c3'], ['b22']],
  ['both of two that differ in case alone', ['abc', 'Xyz', 'xyz', 'abcde'], ['Xyz', 'xyz', 'abc', 'abcde']],
  ['both of two that are the same number', ['7', '12', '007', '70'], ['7', '007', '70']],
  ['both of two that differ in signs alone', ['a_1', 'bcd', 'a-1'], ['a_1', 'a-1']],
  ['a pair where one begins with the other', ['ds_2', 'ds_10', 'ds_1'], ['ds_1', 'ds_10']],
  ['one of each unusual kind', ['a', 'b/c', 'd/e', 'f%g', 'h+i', 'ü'], ['f%g', 'h+i', 'b/c', 'ü']],
])('%s', (_what, ids, expected) => {
  expect(delicateIds(ids, 8)).toEqual(expected);
});

test('Never more than wanted', () => {
  expect(delicateIds(['Xyz', 'xyz', 'ds_1', 'ds_10'], 3)).toHaveLength(3);
});
