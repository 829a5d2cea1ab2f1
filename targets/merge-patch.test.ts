import { expect, test } from 'vitest';
import { mergePatch, patches } from './merge-patch.ts';

// The examples of RFC 7396, appendix A.
test.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j and %j make %j', (value, patch, merged) => {
  expect(mergePatch(value, patch)).toEqual(merged);
});

test('names of the language are names like others, and no depth breaks it', () => {
  const merged = mergePatch({}, JSON.parse('{"__proto__":{"a":1}}'));
  expect(JSON.stringify(merged)).toBe('{"__proto__":{"a":1}}');
  expect(() => mergePatch({}, JSON.parse('{"a":'.repeat(50_000) + '1' + '}'.repeat(50_000)))).toThrow(RangeError);
});

test.each([
  [{ a: { b: 1 } }, ['a', 'b'], true],
  [{ a: { b: 1 } }, ['a'], true],
  [{ a: [1] }, ['a', 0, 'x'], true],
  [{ a: { b: 1 } }, ['a', 'c'], false],
  [{}, ['a'], false],
])('%j decides %j: %s', (patch, path, decides) => {
  expect(patches(patch, path)).toBe(decides);
});
