import { expect, test } from 'vitest';
import { groupValues, valueText } from './observed-values.ts';

test.each([
  ['no cases', ['idle', 'generating'], ['idle', 'generating']],
  ['one case each', ['a: 400', 'b: 404'], ['a: 400', 'b: 404']],
  ['cases with the same value', ['limit=0: 400', 'x: 200', 'limit=101: 400'], ['400 (limit=0; limit=101)', 'x: 200']],
  ['more cases than are named', ['a: 1', 'b: 1', 'c: 1', 'd: 1'], ['1 (a; b and 2 more)']],
  ['a value with a colon', ['a: "x: y"', 'b: "x: y"'], ['"x: y" (a; b)']],
  ['a value with and without a case', ['200', 'a: 200'], ['200', 'a: 200']],
  ['nothing', [], []],
])('%s', (_what, texts, expected) => {
  expect(groupValues(texts, (text) => text).map((value) => valueText(value, 2))).toEqual(expected);
});
