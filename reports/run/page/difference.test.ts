import { expect, test } from 'vitest';
import { difference, type Stretch } from './difference.ts';

const marked = (stretches: readonly Stretch[]) =>
  stretches.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('');

test.each([
  ['equal texts', 'a page of 2', 'a page of 2', 'a page of 2', 'a page of 2'],
  ['a word', 'after item 1, 2 items', 'after item 1, 1 items', 'after item 1, [2] items', 'after item 1, [1] items'],
  ['several words', 'one two three four', 'one 2 3 four', 'one [two three] four', 'one [2 3] four'],
  ['words that are gone', 'a b c d', 'a d', 'a [b c] d', 'a d'],
  ['texts that share too little are left alone', 'with limit=2 a page of 2', '1', 'with limit=2 a page of 2', '1'],
  ['nothing', '', 'x', '', 'x'],
])('%s', (_what, before, after, left, right) => {
  const found = difference(before, after);
  expect(found.map(marked)).toEqual([left, right]);
});

test('long texts are left whole, in time', () => {
  const long = 'word '.repeat(100_000);
  expect(difference(long, `${long}more`).map((stretches) => stretches.length)).toEqual([1, 1]);
});
