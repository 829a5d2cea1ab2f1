import { expect, test } from 'vitest';
import { createHistogram } from '../measure/histogram.ts';
import { latenciesText } from './long-poll.ts';

test.each([
  [0, 'no percentile of 0 answers'],
  [1, 'no percentile of 1 answer'],
  [19, 'p50 5.0 ms of 19 answers'],
  [99, 'p50 5.0 ms, p95 5.0 ms of 99 answers'],
  [100, 'p50 5.0 ms, p95 5.0 ms, p99 5.0 ms of 100 answers'],
])('the others of %i answers have the percentiles that there are enough answers for', (answers, text) => {
  const times = createHistogram();
  if (answers > 0) times.recordValueWithCount(5000, answers);
  expect(latenciesText(times)).toBe(text);
});
