import { expect, test } from 'vitest';
import { describe as described, shown } from './text.ts';

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc… (4 characters)'],
  ['abcd… (90 characters)', 3, 'abc… (90 characters)'],
  ['abcd… (90 characters)', 4, 'abcd… (90 characters)'],
  ['abcd… (90 characters)', 15, 'abcd… (90 characters)'],
  ['a\u0000\u202E\u{E0001}', 9, String.raw`a\u0000\u202e\u{e0001}`],
])('%j in %i characters is %s', (text, most, expected) => {
  expect(shown(text, most)).toBe(expected);
});

test.each<[unknown, string]>([
  [undefined, 'no value'],
  [null, 'null'],
  [5, '5'],
  ['a', '"a"'],
  ['a'.repeat(300), `"${'a'.repeat(300)}"`],
  ['a'.repeat(301), `"${'a'.repeat(300)}…"`],
  [[1, 2, 3, 4, 5], '[1, 2, 3, 4, 5]'],
  [[1, 2, 3, 4, 5, 6], '[1, 2, 3, 4, 5, … 6 items]'],
  [{ a: { b: { c: {} } }, d: [[[[]]]] }, '{"a": {"b": {"c": {…}}}, "d": [[[…]]]}'],
  [
    Object.fromEntries([...'abcdefgh'].map((name) => [name, 1])),
    '{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1, "h": 1}',
  ],
  [
    Object.fromEntries([...'abcdefghi'].map((name) => [name, 1])),
    '{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1, "h": 1, …}',
  ],
])('%j is described in short', (value, expected) => {
  expect(described(value, 400)).toBe(expected);
});
