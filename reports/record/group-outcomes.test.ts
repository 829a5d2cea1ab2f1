import { expect, test } from 'vitest';
import { groupOutcomes, outcomeText } from './group-outcomes.ts';

test.each([
  ['no cases', ['idle', 'generating'], ['idle', 'generating']],
  ['one case each', ['a: 400', 'b: 404'], ['a: 400', 'b: 404']],
  ['cases that end alike', ['limit=0: 400', 'x: 200', 'limit=101: 400'], ['400 (limit=0; limit=101)', 'x: 200']],
  ['more cases than are named', ['a: 1', 'b: 1', 'c: 1', 'd: 1'], ['1 (a; b and 2 more)']],
  ['an outcome with a colon', ['a: "x: y"', 'b: "x: y"'], ['"x: y" (a; b)']],
  ['an outcome with and without a case', ['200', 'a: 200'], ['200', 'a: 200']],
  ['nothing', [], []],
])('%s', (_what, values, texts) => {
  const groups = groupOutcomes(values, (value) => value);
  expect(groups.map((group) => outcomeText(group, 2))).toEqual(texts);
});
