import { expect, test } from 'vitest';
import { spokenDuration } from './spoken-duration.ts';

test.each([
  [0, '1 s'],
  [1499, '1 s'],
  [99_000, '99 s'],
  [100_000, '2 min'],
  [5_940_000, '99 min'],
  [6_000_000, '1 h 40 min'],
])('%i ms are %s', (ms, spoken) => {
  expect(spokenDuration(ms)).toBe(spoken);
});
