import { expect, test } from 'vitest';
import { instantOf } from './instant.ts';

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
