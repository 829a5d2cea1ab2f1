import { expect, test } from 'vitest';
import { latencyLimits, throughputLimits } from './limits.ts';

const threshold = (text: string, limit?: number) => ({
  text,
  verdict: 'held' as const,
  ...(limit === undefined ? {} : { limit }),
});

test.each([
  ['latency.p95 < 250ms', 250, { point: 'p95', share: 0.95, operation: undefined }],
  ['listModels.latency.p999 <= 1s', 1000, { point: 'p999', share: 0.999, operation: 'listModels' }],
])('%s is a limit in a chart', (text, limit, wanted) => {
  expect(latencyLimits({ thresholds: [threshold(text, limit)] })).toEqual([{ text, at: limit, ...wanted }]);
});

test.each([
  ['of a record without limits', threshold('latency.p95 < 250ms')],
  ['from below', threshold('latency.p95 > 250ms', 250)],
  ['of a step', threshold('open.latency.p95 < 250ms', 250)],
  ['of the mean, which has no place in a chart', threshold('latency.mean < 250ms', 250)],
  ['of a point that no version knows', threshold('latency.constructor < 250ms', 250)],
  ['of another time', threshold('service.p95 < 250ms', 250)],
])('a threshold %s is none', (_name, one) => {
  expect(latencyLimits({ thresholds: [one] })).toEqual([]);
});

test('the limit of successes per second is in the chart of the throughput', () => {
  const thresholds = [threshold('throughput > 5/s', 5), threshold('listModels.throughput > 5/s', 5)];
  expect(throughputLimits({ thresholds })).toEqual([{ text: 'throughput > 5/s', at: 5 }]);
});
