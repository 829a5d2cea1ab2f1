import { expect, test } from 'vitest';
import { createHistogram, bucketOf } from '../../load/measure/histogram.ts';
import { isMeaningful, latencyMs, sumLatencies } from './latencies.ts';
import { sampleLoadRecord } from '../../testing/samples/load-records.ts';
import { timeSeries } from './time-series.ts';

test.each([0.5, 0.9, 0.95, 0.99, 0.999, 1])('the time of a share is the one that a histogram gives: %d', (share) => {
  const histogram = createHistogram();
  const times = Array.from({ length: 5000 }, (_, index) => Math.floor(1.0027 ** index) + index);
  for (const us of times) histogram.recordValue(us);
  const latencies = sumLatencies(times.map((us): [number, number][] => [[bucketOf(us), 1]]));
  expect(latencyMs(latencies, share)).toBe(histogram.getValueAtPercentile(share * 100) / 1000);
});

test.each([
  [0, 0.5, false],
  [0, 1, false],
  [1, 1, true],
  [1, 0.5, false],
  [2, 0.5, true],
  [99, 0.99, false],
  [100, 0.99, true],
])('of %i answers the share %d is meaningful: %s', (count, share, expected) => {
  expect(isMeaningful({ count }, share)).toBe(expected);
});

test('points hold all that the slices do, and the last is as long as the run was', () => {
  const record = sampleLoadRecord();
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  for (const most of [1, 7, 60, Infinity]) {
    const points = timeSeries(record, most);
    expect(points.length).toBeLessThanOrEqual(most);
    expect(sum(points.map(({ due }) => due))).toBe(sum(record.slices.map(({ due }) => due)));
    expect(sum(points.map(({ classes }) => classes.get('ok') ?? 0))).toBe(
      sum(record.slices.map(({ classes }) => classes.ok ?? 0)),
    );
    expect(points.map(({ fromMs }) => fromMs)).toEqual([0, ...points.slice(0, -1).map(({ toMs }) => toMs)]);
    expect(points.at(-1)?.toMs).toBe(59_500);
  }
});
