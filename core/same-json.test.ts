import { expect, test } from 'vitest';
import { sameJson } from './same-json.ts';

test.each([
  [{ a: 1, b: [null, 'x'] }, { b: [null, 'x'], a: 1 }, true],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [{ a: 1 }, { a: 1, b: undefined }, false],
  [{ a: 1 }, { b: 1 }, false],
  [null, {}, false],
  ['1', 1, false],
  [{ at: '2026-01-02T03:04:05Z' }, { at: '2026-01-02T05:04:05+02:00' }, true],
  ['2026-01-02T03:04:05Z', '2026-01-02T03:04:06Z', false],
  [undefined, undefined, true],
])('%j and %j', (one, other, same) => {
  expect(sameJson(one, other)).toBe(same);
  expect(sameJson(other, one)).toBe(same);
});

test('however deep it is', () => {
  const deep = () => JSON.parse(`${'['.repeat(20_000)}1${']'.repeat(20_000)}`);
  expect(sameJson(deep(), deep())).toBe(true);
});
