import { expect, test } from 'vitest';
import { hasMoreCharacters } from './characters.ts';

test.each([
  ['', 0, false],
  ['abc', 3, false],
  ['abcd', 3, true],
  ['𝒳𝒳𝒳', 3, false],
  ['𝒳𝒳𝒳𝒳', 3, true],
  ['e\u0301e\u0301e\u0301', 3, false],
  ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 2, false],
  ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦a', 2, true],
  ['ab\r\n', 3, false],
])('%j has more than %i characters: %j', (text, most, isMore) => {
  expect(hasMoreCharacters(text, most)).toBe(isMore);
});
