import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketOf, createHistogram, decodeHistogram, encodeHistogram, mergeHistograms, wholeUs } from './histogram.ts';

const times = fc.array(fc.integer({ min: 0, max: 600_000_000 }), { minLength: 1, maxLength: 200 });

function histogramOf(values: readonly number[]) {
  const histogram = createHistogram();
  for (const value of values) histogram.recordValue(value);
  return histogram;
}

test('merging parts gives what one would have counted, also after writing and reading them', () => {
  fc.assert(
    fc.property(times, times, (one, other) => {
      const whole = histogramOf([...one, ...other]);
      const parts = [one, other].map((values) => decodeHistogram(encodeHistogram(histogramOf(values))));
      const merged = mergeHistograms(parts);
      expect(merged.totalCount).toBe(whole.totalCount);
      for (const percentile of [0, 10, 50, 90, 99, 99.9, 100]) {
        expect(merged.getValueAtPercentile(percentile)).toBe(whole.getValueAtPercentile(percentile));
      }
    }),
    { numRuns: 40 },
  );
});

test('a bucket is what the histogram itself distinguishes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0x7fff_ffff }), (us) => {
      const bucket = bucketOf(us);
      expect(bucket).toBeLessThanOrEqual(us);
      expect(us - bucket).toBeLessThanOrEqual(us / 1000);
      expect(bucketOf(bucket)).toBe(bucket);
      expect(histogramOf([bucket]).getValueAtPercentile(50)).toBe(histogramOf([us]).getValueAtPercentile(50));
    }),
    { numRuns: 200 },
  );
});

test.each([
  [0.0004, 0],
  [1.5, 1500],
  [-3, 0],
  [Number.POSITIVE_INFINITY, 0x7fff_ffff],
])('%d ms are %d µs', (ms, us) => {
  expect(wholeUs(ms)).toBe(us);
});
