import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clip, countCodePoints } from './code-points.ts';

test.each([
  ['', 0],
  ['abc', 3],
  ['é', 1],
  ['e\u0301', 2],
  ['😀😀', 2],
  ['👨‍👩‍👧', 5],
  ['\ud800', 1],
  ['\udc00\ud800', 2],
  ['\ud800a', 2],
])('%j has %i code points', (text, count) => {
  expect(countCodePoints(text)).toBe(count);
});

test('the count is that of the string iterator', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '😀', '\ud83d', '\ude00') }), (text) => {
      expect(countCodePoints(text)).toBe([...text].length);
    }),
  );
});

test('clip cuts at whole code points and never exceeds the limit', () => {
  expect(clip('abc', 3)).toBe('abc');
  expect(clip('abcd', 3)).toBe('ab…');
  expect(clip('😀😀😀', 3)).toBe('😀😀😀');
  expect(clip('😀😀😀😀', 3)).toBe('😀😀…');
  expect(clip('😀'.repeat(1_000_000), 3)).toBe('😀😀…');
});
