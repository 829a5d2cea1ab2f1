import { expect, test } from 'vitest';
import { plainTarget } from '../../testing/samples/plain-target.ts';
import { pointOf } from '../measure/distribution.ts';
import { createHistogram, wholeUs } from '../measure/histogram.ts';
import { createSlowRecords } from './slow-records.ts';

const target = plainTarget({
  principals: [{ name: 'alice', key: 'key-of-alice', variable: '$A', adminOf: ['org'] }],
});

function reported(ms: number): number {
  const histogram = createHistogram();
  histogram.recordValue(wholeUs(ms));
  return pointOf(histogram, 'max');
}

const traceId = 'a'.repeat(32);
const slow = {
  operation: 'sendMessage',
  outcome: 409,
  atMs: 12_345.6789,
  latencyMs: 1204,
  serviceMs: 9,
  traceId,
} as const;

test('a slow request has its class, the times that its histograms report, and no link where none is declared', () => {
  expect(createSlowRecords(target)(slow)).toEqual({
    ...slow,
    outcome: '409',
    class: 'conflict',
    atMs: 12_345.679,
    latencyMs: reported(1204),
    serviceMs: reported(9),
  });
});

test('a trace has the link of the target file, without keys', () => {
  const traceLink = 'https://tracing.example.com/{traceId}?key=key-of-alice';
  const { traceUrl } = createSlowRecords({ ...target, traceLink })(slow);
  expect(traceUrl).toBe(`https://tracing.example.com/${traceId}?key=$A`);
});
