import { expect, test } from 'vitest';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { simulatedRecord } from '../../testing/simulated-record.ts';
import { distributionOf } from '../measure/distribution.ts';
import { createHistogram, wholeUs } from '../measure/histogram.ts';
import { mergeRecords } from './merge.ts';

function times(count: number, ms: number, last: number) {
  const histogram = createHistogram();
  for (let index = 0; index < count; index += 1) histogram.recordValue(wholeUs(index < count - 3 ? ms : last));
  return distributionOf(histogram);
}

/** One of two shards, whose last three of so many requests left that late. */
function shard(index: number, count: number, lateMs: number): LoadRecord {
  const record = simulatedRecord({ blocks: [] }, 0);
  const outcome = { outcome: '200', class: 'ok', count, latency: times(count, 5, 150), service: times(count, 5, 5) };
  return {
    ...record,
    shards: { of: 2, indexes: [index] },
    operations: [
      {
        operation: 'listModels',
        sent: count,
        withheld: 0,
        capped: 0,
        broken: 0,
        outcomes: [{ ...outcome, class: 'ok' }],
      },
    ],
    generator: { ...record.generator, lag: times(count, 0.3, lateMs) },
  };
}

test('an answer that violates two requirements counts once', () => {
  const violation = { sentence: 's', operation: 'listModels', count: 4, findings: 4, proofs: [] } as const;
  const part = (index: number): LoadRecord => {
    const record = shard(index, 75, 1);
    return {
      ...record,
      profile: { ...record.profile, thresholds: ['listModels.violations < 9'] },
      operations: record.operations.map((operation) => ({ ...operation, broken: 4 })),
      validation: { ...record.validation, checked: 75, broken: 4, findings: 8 },
      violations: [
        { rule: 'models.shape', ...violation, proofs: [] },
        { rule: 'models.names', ...violation, proofs: [] },
      ],
    };
  };
  const merged = mergeRecords([part(1), part(2)]);
  expect(merged).toMatchObject({
    record: {
      thresholds: [{ actual: 8, verdict: 'held' }],
      sentence: expect.stringContaining('16 violations in 8 of 150 answers checked'),
      operations: [{ broken: 8 }],
      violations: [{ count: 8, findings: 8 }, { count: 8 }],
    },
  });
});

test.each<readonly [string, number, string[]]>([
  ['late', 100, [expect.stringMatching(/^requests left 100\.\d ms late \(p99\)/)]],
  ['in time', 1, []],
])('shards too small to be judged are judged as a whole: %s', (_, lateMs, reasons) => {
  const merged = mergeRecords([shard(1, 75, lateMs), shard(2, 75, lateMs)]);
  const verdict = reasons.length === 0 ? 'fit' : 'bottleneck';
  expect(merged).toMatchObject({ kind: 'merged', record: { generator: { verdict, reasons } } });
});
