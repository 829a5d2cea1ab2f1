import fc from 'fast-check';
import { expect, test } from 'vitest';
import { latencyMs, sumLatencies } from '../../reports/load/latencies.ts';
import { latencyText } from '../judge/headline.ts';
import { createBucketCounts } from './bucket-counts.ts';
import { pointOf } from './distribution.ts';
import { bucketOf, createHistogram, decodeHistogram, encodeHistogram } from './histogram.ts';

function recorded(times: readonly number[]) {
  const histogram = createHistogram();
  const counts = createBucketCounts();
  for (const us of times) {
    histogram.recordValue(us);
    counts.add(bucketOf(us));
  }
  return { histogram, latencies: sumLatencies([[...counts.entries()]]) };
}

test('a percentile, or the longest time, is the same from a histogram, as sentences and tables show it, and from slices, as tiles do', () => {
  const times = fc.array(fc.oneof(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 900_000 })), {
    minLength: 1,
    maxLength: 400,
  });
  fc.assert(
    fc.property(times, (us) => {
      const { histogram, latencies } = recorded(us);
      for (const [point, share] of [
        ['p50', 0.5],
        ['p95', 0.95],
        ['p99', 0.99],
        ['max', 1],
      ] as const)
        expect(pointOf(histogram, point)).toBe(latencyMs(latencies, share));
      expect(pointOf(histogram, 'max')).toBeGreaterThanOrEqual(pointOf(histogram, 'p99'));
      expect(pointOf(decodeHistogram(encodeHistogram(histogram)), 'max')).toBe(pointOf(histogram, 'max'));
    }),
  );
});

test('the sentence names no percentile that there are too few answers for', () => {
  const text = (count: number) => latencyText(recorded(Array.from({ length: count }, () => 12_340)).histogram);
  expect([100, 99, 20, 19, 2, 1].map(text)).toEqual([
    'p99 12.3 ms',
    'p95 12.3 ms',
    'p95 12.3 ms',
    'p50 12.3 ms',
    'p50 12.3 ms',
    'max 12.3 ms',
  ]);
});
