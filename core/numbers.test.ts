import { expect, test } from 'vitest';
import { percentileRank } from './numbers.ts';

test.each([
  [0.5, 1, 1],
  [0.5, 2, 1],
  [0.5, 3, 2],
  [0.95, 20, 19],
  [0.99, 100, 99],
  [0.999, 1000, 999],
  [0.07, 100, 7], // 0.07 × 100 is a little above 7
  [0, 10, 1],
  [1, 10, 10],
])('the rank of the percentile %d among %i values is %i', (share, count, rank) => {
  expect(percentileRank(share, count)).toBe(rank);
});
