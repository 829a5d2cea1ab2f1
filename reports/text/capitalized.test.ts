import { expect, test } from 'vitest';
import { capitalized } from './capitalized.ts';

test.each([
  ['a flow took p50 2 s.', 'A flow took p50 2 s.'],
  ['3 of 171 requirements violated.', '3 of 171 requirements violated.'],
  ['p99 7.4 ms at 50 req/s.', 'p99 7.4 ms at 50 req/s.'],
  ['retryAfterMs is honest.', 'retryAfterMs is honest.'],
  ['Passed.', 'Passed.'],
  ['', ''],
])('%j begins as a sentence', (sentence, expected) => {
  expect(capitalized(sentence)).toBe(expected);
});
