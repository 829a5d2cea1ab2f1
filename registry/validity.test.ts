import { expect, test } from 'vitest';
import { expiryOf, isValid } from './validity.ts';

const releases = new Map([
  ['1.0.0', '2026-01-31'],
  ['1.1.0', '2027-06-01'],
]);

test.each([
  ['1.0.0', 1, '2027-10-15'], // 9 months after the revision are later
  ['1.1.0', 1, '2028-06-01'], // 12 months after the release are later
  ['1.0.0', 2, '2027-11-28'],
  ['1.0.0', 3, undefined],
  ['2.0.0', 1, undefined],
])('a certificate of awc %s by revision %i expires on %s', (version, revision, expires) => {
  const revisions = new Map([
    [2, '2027-01-15'],
    [3, '2027-02-28'],
  ]);
  expect(expiryOf(version, revision, { releases, revisions })).toBe(expires);
});

test('the last day of a month stays the last day', () => {
  const revisions = new Map([[2, '2027-05-31']]);
  expect(expiryOf('1.0.0', 1, { releases, revisions })).toBe('2028-02-29');
});

test('it is valid until the day before', () => {
  expect([
    isValid('2027-01-02', Date.UTC(2027, 0, 1, 23)),
    isValid('2027-01-02', Date.UTC(2027, 0, 2)),
    isValid(undefined, Date.UTC(2999, 0)),
  ]).toEqual([true, false, true]);
});
