import { expect, test } from 'vitest';
import {
  changedAt,
  delicateKey,
  hexadecimalKey,
  longNumber,
  numericVariantsOf,
  partialVariantsOf,
  plainKey,
  shapedKey,
  shortKey,
  shortNumber,
  uuidKey,
  uuidVariantsOf,
  variantsOf,
} from './key-variants.ts';

const keysOf = (variants: readonly (readonly [string, string])[]) => variants.map(([, key]) => key);

test('a number has variants that are equal to a reader of numbers', () => {
  expect(keysOf(numericVariantsOf('812'))).toEqual(['814', '812.0', '+812']);
  expect(keysOf(numericVariantsOf('814'))[0]).toBe('815');
});

test('a number has variants of which a reader may take a part', () => {
  const marks = ['812,1', '812;1', '812 1', '812#1', '812?1', '812&1', '812:1', '812|1'];
  const ends = ['812.', '812-', '812/', '/812', '812=', '812%20'];
  expect(keysOf(partialVariantsOf('812'))).toEqual(['0812', ...ends, ...marks]);
});

test('a UUID has variants that are equal as UUIDs', () => {
  const uuid = uuidKey('fresh');
  expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(keysOf(uuidVariantsOf('a-b'))).toEqual(['A-B', '{a-b}', 'urn:uuid:a-b']);
});

test('a key of 255 characters differs from each of its variants in one respect', () => {
  const key = delicateKey('fresh', true);
  expect(key).toHaveLength(255);
  expect(key).toMatch(/^fresh-%41 {2}A-\\-.*O$/);
  const variants = new Map(variantsOf(key));
  expect(variants.size).toBe(20);
  expect([...variants.values()]).not.toContain(key);
  expect(new Set(variants.values()).size).toBe(variants.size);
  const start = key.slice(0, -1);
  expect(Object.fromEntries(variants)).toMatchObject({
    'with 0 for O as its last character': `${start}0`,
    'with its first character changed': `x${key.slice(1)}`,
    'with its last two characters exchanged': `${start.slice(0, -1)}O${start.slice(-1)}`,
    'in lower case': key.toLowerCase(),
    'without its last character': start,
    'without its first character': key.slice(1),
    'with a wildcard of SQL for its last character': `${start}_`,
    'with its escape undone': key.replace('%41', 'A'),
    'with one space for two': key.replace('  ', ' '),
    'cut to 64 characters': key.slice(0, 64),
  });
});

test('a key without spaces lacks the variants of spaces alone', () => {
  const key = delicateKey('fresh', false);
  expect(key).toMatch(/^fresh-%41A-.{240,}O$/);
  expect(key).toHaveLength(255);
  expect(variantsOf(key).map(([what]) => what)).not.toContain('with one space for two');
});

test('keys that are derived from a fresh one have their form, and differ where that differs', () => {
  expect(longNumber('fresh')).toMatch(/^8\d{17}$/);
  expect(shortNumber('fresh')).toMatch(/^8\d{8}$/);
  expect(shortKey('fresh')).toMatch(/^[\da-z]{6}$/);
  expect(hexadecimalKey('fresh')).toMatch(/^abcdef[0-9a-f]{26}$/);
  expect(shapedKey('fresh', { content: 'abc', length: 255 })).toBe('afresh-bc');
  expect(shapedKey('fresh', { content: 'abc', length: 7 })).toBe('afresh-');
  expect(plainKey('fresh-1', { content: 'abc', length: 255 })).toBe('afreshZ1Zbc');
  for (const keyOf of [longNumber, shortNumber, shortKey, hexadecimalKey, uuidKey]) {
    expect(keyOf('fresh')).not.toBe(keyOf('other'));
  }
});

test.each([
  ['abc', 1, 'axc'],
  ['axc', 1, 'ayc'],
  ['abc', 2, 'abx'],
])('%s is changed at %i to %s', (key, index, changed) => {
  expect(changedAt(key, index)).toBe(changed);
});
