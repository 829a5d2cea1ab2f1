import { expect, test } from 'vitest';
import { keyId } from '../certificates/bundle/keys.ts';
import { newKey } from '../testing/try-bundle.ts';
import { newVendor, readVendor, rotated, vendorChangeProblem } from './vendor.ts';

const [first, second, third, stranger] = [newKey(), newKey(), newKey(), newKey()];

function read(file: unknown) {
  return readVendor(JSON.stringify(file), 'acme');
}

const one = read(newVendor('Acme', first));
const two = read(rotated(one, first, second));
const three = read(rotated(two, second, third));

test('each key names the next one', () => {
  expect(three.keys.map(keyId)).toEqual([first, second, third].map(keyId));
});

test.each<[string, () => unknown, RegExp]>([
  ['by a replaced key', () => rotated(two, first, third), /^the old key is not the latest key/],
  ['by a stranger', () => rotated(two, stranger, third), /^the old key is not the latest key/],
  ['to a key that was replaced', () => rotated(two, second, first), /registers a key twice$/],
  [
    'that another vendor signed',
    () => read({ ...one.file, rotations: rotated(read(newVendor('acme', first)), first, second).rotations }),
    /is about another vendor$/,
  ],
  [
    'with another order',
    () => read({ ...three.file, rotations: three.file.rotations.toReversed() }),
    /^the signature in rotation 1 in vendors\/acme\.json does not match/,
  ],
  ['of another vendor', () => read(newVendor('Other', first)), /is the file of another vendor$/],
  ['with more in it', () => read({ ...one.file, note: 'x' }), /does not match its schema$/],
])('no rotation %s', (_what, make, message) => {
  expect(make).toThrow(message);
});

test('a change only adds keys', () => {
  expect(vendorChangeProblem(one, three)).toBeUndefined();
  expect(vendorChangeProblem(two, one)).toMatch(/^a registered key was changed or removed/);
  expect(vendorChangeProblem(one, read(newVendor('Acme', stranger)))).toMatch(/^a registered key was changed/);
});
