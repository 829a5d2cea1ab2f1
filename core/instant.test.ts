import { expect, test } from 'vitest';
import { instantOf, isAfter, isSameTime } from './instant.ts';

const noon = Date.UTC(2025, 2, 1, 12);

test.each([
  ['2025-03-01T12:00:00Z', noon],
  ['2025-03-01t12:00:00z', noon],
  ['2025-03-01 12:00:00+00:00', noon],
  ['2025-03-01T17:30:00+05:30', noon],
  ['2025-03-01T17:30+0530', noon],
  ['2025-03-01T12:00:00.123456Z', noon + 123],
  ['2025-03-01T12:00:00,5Z', noon + 500],
])('%s is an instant', (text, instant) => {
  expect(instantOf(text)).toBe(instant);
});

test.each([
  '2025-03-01T12:00:00',
  '2025-060T12:00:00Z',
  '2025-03-01T12:00:60Z',
  '2025-03-01T12:00:00Zulu',
  'yesterday',
  '',
  5,
  null,
  undefined,
])('%s leaves it open', (text) => {
  expect(instantOf(text)).toBeUndefined();
});

test.each([
  ['2025-03-01T12:00:01Z', '2025-03-01T12:00:00Z', true],
  ['2025-03-01T12:00:00Z', '2025-03-01T12:00:00Z', false],
  ['2025-03-01T12:00:00Z', '2025-03-01T12:00:01Z', false],
  ['2025-03-01T12:00:00.002Z', '2025-03-01T14:00:00.001+02:00', true],
  ['2025-03-01T12:00:01.250Z', '2025-03-01T12:00:01Z', false],
  ['2025-03-01T12:00:02Z', '2025-03-01T12:00:01.001Z', false],
  ['2025-03-01T12:00:02.500Z', '2025-03-01T12:00:01Z', true],
  ['2025-03-01T12:00:01.15Z', '2025-03-01T12:00:01.1Z', false],
  ['2025-03-01T12:00:30Z', '2025-03-01T12:00Z', false],
  ['2025-03-01T12:01:30Z', '2025-03-01T12:00Z', true],
  ['2025-03-01T12:00:01', '2025-03-01T12:00:00Z', undefined],
  [undefined, '2025-03-01T12:00:00Z', undefined],
])('%s is surely after %s: %s', (one, other, holds) => {
  expect(isAfter(one, other)).toBe(holds);
});

test.each([
  ['2025-03-01T12:00:00Z', '2025-03-01T14:00:00+02:00', true],
  ['2025-03-01T12:00:00Z', '2025-03-01T12:00:01Z', false],
  ['2025-03-01T12:00:01Z', '2025-03-01T12:00:00Z', false],
  ['2025-03-01T12:00:01.250Z', '2025-03-01T12:00:01Z', true],
  ['2025-03-01T12:00:00', '2025-03-01T12:00:00Z', undefined],
])('%s and %s: the same time? %s', (one, other, expected) => {
  expect(isSameTime(one, other)).toBe(expected);
});
