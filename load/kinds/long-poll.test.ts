import { expect, test } from 'vitest';
import { createHistogram } from '../measure/histogram.ts';
import { costText, latenciesText } from './long-poll.ts';

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

test('the sentence compares the others beside held requests with the others before', () => {
  const times = (ms: number, answers = 100) => {
    const histogram = createHistogram();
    if (answers > 0) histogram.recordValueWithCount(ms * 1000, answers);
    return histogram;
  };
  const load = { held: 1000, ratePerSecond: 20 };
  expect(costText(load, times(9), times(4))).toBe(
    'p99 9.01 ms of 20 req/s beside 1000 held requests (before: p99 4.00 ms)',
  );
  expect(costText(load, times(9), times(4, 0))).toBe('p99 9.01 ms of 20 req/s beside 1000 held requests');
  expect(costText(load, times(9, 0), times(4))).toBe('no answer to anything beside 1000 held requests');
});
