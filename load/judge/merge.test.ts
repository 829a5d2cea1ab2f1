import { deflateSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { simulatedRecord } from '../../testing/simulated/record.ts';
import { distributionOf } from '../measure/distribution.ts';
import { createHistogram, wholeUs } from '../measure/histogram.ts';
import { capReasons } from './judge-generator.ts';
import { mergeRecords } from './merge.ts';
import { mergeOperations } from './merge-answers.ts';
import { rateLimitedNotes } from './rate-limited.ts';

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
      sentence: expect.stringContaining('violations in 8 of 150 answers checked (16 findings)'),
      operations: [{ broken: 8 }],
      violations: [{ count: 8, findings: 8 }, { count: 8 }],
    },
  });
});

test('answers that arrived in time add up; of older records all successes did', () => {
  const part = (index: number, arrived: number | undefined): LoadRecord => {
    const record = shard(index, 100, 1);
    const slices = [{ due: 100, classes: { ok: 100 }, lagMaxUs: 0, latency: {}, arrived }];
    return { ...record, measuredMs: 1000, slices, operations: record.operations.map((one) => ({ ...one, arrived })) };
  };
  const mergedOf = (...parts: readonly LoadRecord[]) => {
    const merged = mergeRecords(parts);
    if (merged.kind !== 'merged') throw new Error(merged.reason);
    return merged.record;
  };
  expect(mergedOf(part(1, 60), part(2, 30))).toMatchObject({
    throughputPerSecond: 90,
    operations: [{ arrived: 90 }],
    slices: [{ arrived: 90 }],
  });
  expect(mergedOf(part(1, undefined), part(2, undefined)).throughputPerSecond).toBe(200);
});

test('the share of 429s that a note names is that of the whole', () => {
  const part = (index: number, limited: number): LoadRecord => {
    const record = shard(index, 50, 1);
    const refused = { outcome: '429', class: 'rateLimited', count: limited, latency: times(limited, 1, 1) } as const;
    const operations = record.operations.map((one) => ({
      ...one,
      outcomes: [...one.outcomes, { ...refused, service: refused.latency }],
    }));
    const own = rateLimitedNotes(mergeOperations([{ ...record, operations }]));
    return { ...record, operations, notes: [...own, 'another note'] };
  };
  const merged = mergeRecords([part(1, 150), part(2, 50)]);
  expect(merged).toMatchObject({
    record: {
      sentence: expect.stringContaining('429 for 200 of 300 requests (67%)'),
      notes: [expect.stringMatching(/^67% of the requests were refused with 429: /), 'another note'],
    },
  });
});

test('what the metrics of the server do not show decides nothing', () => {
  const unread = { name: 'server', value: 'its metrics could not be read in 3 attempts', verdict: 'unclear' } as const;
  const merged = mergeRecords([{ ...shard(1, 75, 1), facts: [unread] }, shard(2, 75, 1)]);
  expect(merged).toMatchObject({ record: { result: 'held', facts: [unread] } });
});

test('what several parts changed adds up', () => {
  const deletion = { organizationId: 'org', dataSourceId: 'ds' };
  const attachment = { billingAccountId: 'ba', organizationId: 'org', certain: true };
  const chat = (chatId: string, count: number) => ({ organizationId: 'org', chatId, count });
  const changed = (index: number, usedUp: LoadRecord['usedUp']): LoadRecord => ({ ...shard(index, 75, 1), usedUp });
  const merged = mergeRecords([
    changed(1, { deletions: [{ ...deletion, certain: false }], attachments: [attachment], messages: [chat('a', 2)] }),
    changed(2, {
      deletions: [{ ...deletion, certain: true }],
      attachments: [],
      messages: [chat('b', 3), chat('a', 4)],
    }),
  ]);
  expect(merged).toMatchObject({
    record: {
      usedUp: {
        deletions: [{ ...deletion, certain: true }],
        attachments: [attachment],
        messages: [chat('a', 6), chat('b', 3)],
      },
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

test('a load of which a part ended early names the condition', () => {
  const ended = { ...shard(2, 100, 1), result: 'aborted', endedBy: 'errors.rate > 50%' } as const;
  const merged = mergeRecords([shard(1, 100, 1), ended]);
  expect(merged).toMatchObject({
    kind: 'merged',
    record: { result: 'aborted', endedBy: 'errors.rate > 50% in one part' },
  });
});

test('phases of the shards add up', () => {
  const part = (index: number, connections: number): LoadRecord => ({
    ...shard(index, 75, 1),
    phases: { firstByte: times(75, 4, 9), ...(connections > 0 && { connect: times(connections, 1, 1) }) },
  });
  expect(mergeRecords([part(1, 0), part(2, 5)])).toMatchObject({
    record: { phases: { firstByte: { count: 150 }, connect: { count: 5 } } },
  });
  expect(refusal((record) => ({ ...record, phases: { tls: { ...times(1, 1, 1), hdr: 'no' } } }))).toContain(
    'has a histogram that cannot be read',
  );
});

test('the slowest requests are those of all shards', () => {
  const slow = { operation: 'listModels', outcome: '200', class: 'ok', atMs: 1, serviceMs: 1 } as const;
  const part = (index: number, latencies: readonly number[]): LoadRecord => ({
    ...shard(index, 75, 1),
    slowest: latencies.map((latencyMs) => ({ ...slow, latencyMs, traceId: String(index).repeat(32) })),
  });
  const merged = mergeRecords([part(1, [9, 5, 4]), part(2, [8, 7, 6])]);
  const traces = ['1', '2', '2', '2', '1'].map((index) => index.repeat(32));
  expect(merged).toMatchObject({
    record: { slowest: [9, 8, 7, 6, 5].map((latencyMs, place) => ({ latencyMs, traceId: traces[place] })) },
  });
});

/** What is said of two parts, the second of which was altered. */
function refusal(alter: (record: LoadRecord) => LoadRecord): string {
  const merged = mergeRecords([shard(1, 75, 1), alter(shard(2, 75, 1))]);
  return merged.kind === 'refused' ? merged.reason : merged.kind;
}

const withHdr = (hdr: string) => (record: LoadRecord) => ({
  ...record,
  operations: record.operations.map((operation) => ({
    ...operation,
    outcomes: operation.outcomes.map((outcome) => ({ ...outcome, latency: { ...outcome.latency, hdr } })),
  })),
});

/** The histogram of a shard with other bytes in the header of its content. */
function altered(at: number, byte: number): string {
  const bytes = Buffer.from(times(75, 5, 150).hdr, 'base64');
  const inner = inflateSync(bytes.subarray(8));
  inner[at] = byte;
  const compressed = deflateSync(inner);
  const head = Buffer.from(bytes.subarray(0, 8));
  head.writeInt32BE(compressed.length, 4);
  return Buffer.concat([head, compressed]).toString('base64');
}

const bomb = Buffer.concat([Buffer.alloc(8), deflateSync(Buffer.alloc(50_000_000))]).toString('base64');

test.each<readonly [string, (record: LoadRecord) => LoadRecord, RegExp]>([
  ['none', (record) => record, /^merged$/],
  [
    'the suite',
    (record) => ({ ...record, suite: { ...record.suite, version: '9.9.9' } }),
    /their versions of the suite differ/,
  ],
  [
    'the thresholds',
    (record) => ({ ...record, profile: { ...record.profile, thresholds: ['violations < 9'] } }),
    /their thresholds differ/,
  ],
  [
    'an option',
    (record) => ({ ...record, profile: { ...record.profile, rateLimitedIsError: !record.profile.rateLimitedIsError } }),
    /their options differ/,
  ],
  ['the slices', (record) => ({ ...record, sliceMs: 7 }), /their lengths of slices differ/],
  [
    'the number of parts',
    (record) => ({ ...record, shards: { of: 1000, indexes: [2] } }),
    /their numbers of parts differ/,
  ],
  ['the index', (record) => ({ ...record, shards: { of: 2, indexes: [3] } }), /^there is no part 3 of 2\.$/],
  ['a histogram that is none', withHdr('AAAA'), /^part 2 of 2 has a histogram that cannot be read\.$/],
  ['a histogram that inflates', withHdr(bomb), /^part 2 of 2 has a histogram that cannot be read\.$/],
  ['a histogram of other digits', withHdr(altered(15, 5)), /^part 2 of 2 has a histogram that cannot be read\.$/],
  ['a histogram of long times', withHdr(altered(24, 1)), /^part 2 of 2 has a histogram that cannot be read\.$/],
])('parts that differ in %s', (_what, alter, reason) => {
  expect(refusal(alter)).toMatch(reason);
});

test('a record of very many parts is refused with a short sentence', () => {
  const alone = { ...shard(1, 75, 1), shards: { of: 1000, indexes: [1] } };
  expect(mergeRecords([alone])).toEqual({
    kind: 'refused',
    reason: expect.stringMatching(/^parts 2, 3, .*, 21 and 979 more of 1000: no record\.$/),
    missing: Array.from({ length: 999 }, (_, place) => place + 2),
  });
});

const skewed = (offsetMs: number, over: Partial<LoadRecord> = {}) => ({
  ...shard(2, 75, 1),
  shards: { of: 2, indexes: [2], clock: { offsetMs, uncertaintyMs: 0.4 } },
  ...over,
});
const lateBy = (ms: number) => new Date(Date.parse(shard(1, 75, 1).startedAt) + ms).toISOString();

test('parts are together by the corrected clock, and a clock that is far off is mentioned', () => {
  const merged = mergeRecords([shard(1, 75, 1), skewed(5000, { startedAt: lateBy(-5000) })]);
  expect(merged).toMatchObject({
    record: {
      shards: { of: 2, indexes: [1, 2] },
      startedAt: shard(1, 75, 1).startedAt,
      generator: { verdict: 'fit' },
      notes: [
        "part 2: its clock is 5.0 s behind the coordinator's (± 0.4 ms), and its start was corrected",
        ...shard(1, 75, 1).notes,
      ],
    },
  });
  expect(merged).not.toHaveProperty('record.shards.clock');
});

test('parts that only seem to start together by clocks that differ get no verdict', () => {
  expect(mergeRecords([shard(1, 75, 1), skewed(5000)])).toMatchObject({
    record: {
      result: 'unjudged',
      sentence: expect.stringMatching(/^No verdict, the parts did not start together: /),
      generator: { verdict: 'apart', reasons: [expect.stringMatching(/^the parts started 5\.0 s apart/)] },
    },
  });
});

test('a throughput that is low because the parts ran one after the other is not judged', () => {
  const part = (record: LoadRecord): LoadRecord => ({
    ...record,
    profile: { ...record.profile, thresholds: ['throughput >= 1000000/s'] },
  });
  expect(mergeRecords([part(shard(1, 75, 1)), part(skewed(5000))])).toMatchObject({
    record: { thresholds: [{ verdict: 'unjudged', reason: 'the parts did not start together' }] },
  });
});

test.each<readonly [string, number, RegExp, string[]]>([
  ['in time', 1, /^No verdict, limits\.maxRequestsPerSecond held the load back: /, []],
  [
    'and late',
    100,
    /^No verdict, limits\.maxRequestsPerSecond held the load back, the generator was the bottleneck: /,
    [expect.stringMatching(/^requests left 100/)],
  ],
])('parts that the limit of the target file held back are one load that was held back: %s', (_, lateMs, said, late) => {
  const part = (index: number): LoadRecord => {
    const record = shard(index, 75, lateMs);
    const capped = 25 * index;
    const reasons = [...capReasons({ sent: 75, capped })];
    return {
      ...record,
      operations: record.operations.map((operation) => ({ ...operation, capped })),
      generator: { ...record.generator, verdict: 'held-back', reasons },
    };
  };
  const reasons = [...late, expect.stringMatching(/^33% of the requests were dropped, because/)];
  expect(mergeRecords([part(1), part(2)])).toMatchObject({
    record: { result: 'unjudged', sentence: expect.stringMatching(said), generator: { verdict: 'held-back', reasons } },
  });
});
