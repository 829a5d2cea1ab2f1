import { expect, test } from 'vitest';
import { z } from 'zod';
import { everywhere } from '../../testing/try-hostile.ts';
import { type LoadRecord, loadRecordSchema } from './load-record.ts';
import { hostile } from '../../testing/samples/run-records.ts';
import { renderLoadMarkdown } from './load-markdown.ts';
import { renderLoadNdjson } from './load-ndjson.ts';
import { renderOpenMetrics } from './openmetrics.ts';
import { type OtlpPart, renderOtlp } from './otlp.ts';
import { emptyLoadRecord, sampleLoadRecord } from '../../testing/samples/load-records.ts';

const { capacity, ...rest } = sampleLoadRecord();
const hostileRecord: LoadRecord = {
  ...loadRecordSchema.parse(everywhere(rest, hostile)),
  ...(capacity && { capacity }),
};

const named = { sample: sampleLoadRecord(), empty: emptyLoadRecord(), hostile: hostileRecord };
const records = Object.entries(named);

test.each(records)('no format holds a character that a terminal obeys: %s', (_name, record) => {
  for (const render of [renderLoadMarkdown, renderLoadNdjson, renderOpenMetrics, renderOtlp]) {
    expect(render(record).match(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)).toBeNull();
  }
});

test('NDJSON has a line for each slice, and each can stand alone', () => {
  const lines = renderLoadNdjson(sampleLoadRecord())
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
  expect(lines).toHaveLength(60);
  expect(lines[30]).toEqual({
    at: '2026-01-15T12:00:30.000Z',
    arrived: 140,
    target: 'Staging',
    profile: 'steady',
    fromMs: 30_000,
    toMs: 31_000,
    due: 150,
    outcomes: { ok: 140, rateLimited: 4, conflict: 1, refused: 1, failed: 1, timeout: 1, transport: 2 },
    lagMaxMs: 3.5,
    latency: { count: 141, p50: 2.301, p90: 3.001, p95: 5.011, p99: 5.011, max: 901.119 },
    operations: {
      listModels: { count: 100, p50: 2.301, p90: 2.301, p95: 5.011, p99: 5.011, max: 901.119 },
      getBillingAccount: { count: 41, p50: 3.001, p90: 3.001, p95: 3.001, p99: 3.001, max: 3.001 },
    },
  });
  expect(lines[20]).toMatchObject({ due: 0, latency: { count: 0 }, operations: {} });
  expect(renderLoadNdjson(emptyLoadRecord())).toBe('');
});

const sampleLine = /^([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (-?[\d.e+-]+)$/;
const suffixes = {
  counter: ['_total'],
  gauge: [''],
  summary: ['', '_count', '_sum'],
  info: ['_info'],
  stateset: [''],
} as const;

/** The rules of OpenMetrics 1.0 that this text can break. */
function openMetricsProblems(text: string): readonly string[] {
  const problems: string[] = [];
  const [families, seen] = [new Set<string>(), new Set<string>()];
  let family: { name: string; type: keyof typeof suffixes } = { name: '', type: 'gauge' };
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.pop() !== '# EOF') problems.push('does not end with # EOF and a line feed');
  for (const line of lines) {
    const [, keyword, name = '', value = ''] = /^# (TYPE|UNIT|HELP) ([a-z_]+) (.+)$/.exec(line) ?? [];
    if (keyword === 'TYPE') {
      const type = z.enum(['counter', 'gauge', 'summary', 'info', 'stateset']).parse(value);
      if (families.has(name)) problems.push(`${name} appears twice`);
      families.add(name);
      family = { name, type };
    } else if (keyword !== undefined) {
      if (name !== family.name) problems.push(`${line} stands in ${family.name}`);
      if (keyword === 'UNIT' && !name.endsWith(`_${value}`)) problems.push(`${name} does not end with ${value}`);
      if (keyword === 'HELP' && /\\(?!["\\n])/.test(value)) problems.push(`${line} escapes what it must not`);
    } else {
      const [, full = '', labels = ''] = sampleLine.exec(line) ?? [];
      if (!suffixes[family.type].some((suffix) => full === family.name + suffix)) problems.push(`no sample: ${line}`);
      if (seen.has(`${full} ${labels}`)) problems.push(`twice: ${line}`);
      seen.add(`${full} ${labels}`);
    }
  }
  return problems;
}

test.each(records)('OpenMetrics keeps to its format: %s', (_name, record) => {
  expect(openMetricsProblems(renderOpenMetrics(record))).toEqual([]);
});

test('OpenMetrics has the result, the latencies, the thresholds and the capacity', () => {
  const lines = renderOpenMetrics(sampleLoadRecord()).split('\n');
  for (const line of [
    'awc_load_result{awc_load_result="missed"} 1',
    'awc_load_latency_seconds{operation="listModels",outcome="200",class="ok",quantile="0.95"} 0.008',
    'awc_load_latency_seconds_sum{operation="listModels",outcome="200",class="ok"} 1.2',
    'awc_load_step_seconds{step="open",outcome="200",class="ok",quantile="0.95"} 0.008',
    'awc_load_phase_seconds{phase="firstByte",quantile="0.95"} 0.008',
    'awc_load_threshold{threshold="latency.p95 < 5ms",awc_load_threshold="missed"} 1',
    'awc_load_violations_total{rule="models.shape",operation="listModels"} 3',
    'awc_load_capacity_per_second{bound="high"} 180',
  ]) {
    expect(lines).toContain(line);
  }
});

const int64 = z.string().regex(/^\d+$/);
const text = z.string().refine((value) => value.isWellFormed());
const attribute = z.strictObject({ key: z.string(), value: z.strictObject({ stringValue: text }) });
const instants = { startTimeUnixNano: int64, timeUnixNano: int64, attributes: z.array(attribute) };
/** IDs of traces are hexadecimal in the JSON of OTLP, unlike other bytes. */
const exemplar = z.strictObject({
  timeUnixNano: int64,
  asDouble: z.number(),
  traceId: z.string().regex(/^[\da-f]{32}$/),
});
const counters = z.strictObject({
  aggregationTemporality: z.literal(2),
  isMonotonic: z.literal(true),
  dataPoints: z.array(z.strictObject({ ...instants, asInt: int64 })),
});
const histograms = z.strictObject({
  aggregationTemporality: z.literal(2),
  dataPoints: z.array(
    z
      .strictObject({
        ...instants,
        count: int64,
        sum: z.number(),
        min: z.number().optional(),
        max: z.number().optional(),
        bucketCounts: z.array(int64),
        explicitBounds: z.array(z.number()),
        exemplars: z.array(exemplar).optional(),
      })
      .refine(({ bucketCounts, explicitBounds }) => bucketCounts.length === explicitBounds.length + 1)
      .refine(({ bucketCounts, count }) => bucketCounts.reduce((sum, one) => sum + Number(one), 0) === Number(count)),
  ),
});
const gauges = z.strictObject({
  dataPoints: z.array(z.strictObject({ timeUnixNano: int64, asDouble: z.number() })),
});

/** ExportMetricsServiceRequest in the JSON of OTLP: 64-bit integers as text, enums as numbers, names in camelCase. */
const otlpSchema = z.strictObject({
  resourceMetrics: z.tuple([
    z.strictObject({
      resource: z.strictObject({ attributes: z.array(attribute) }),
      scopeMetrics: z.tuple([
        z.strictObject({
          scope: z.strictObject({ name: text, version: text }),
          metrics: z.array(
            z.strictObject({
              name: z.string(),
              unit: z.string(),
              description: z.string(),
              sum: counters.optional(),
              histogram: histograms.optional(),
              gauge: gauges.optional(),
            }),
          ),
        }),
      ]),
    }),
  ]),
});

test.each(records)('OTLP has the structure of its JSON: %s', (_name, record) => {
  expect(otlpSchema.safeParse(JSON.parse(renderOtlp(record)))).toMatchObject({ success: true });
});

test('OTLP counts from the beginning of the run, and never backwards', () => {
  const [{ scopeMetrics }] = otlpSchema.parse(JSON.parse(renderOtlp(sampleLoadRecord()))).resourceMetrics;
  const { metrics } = scopeMetrics[0];
  expect(metrics.map(({ name }) => name)).toEqual([
    'awc.load.due',
    'awc.load.requests',
    'awc.load.latency',
    'awc.load.lag.max',
  ]);
  const due = metrics[0]?.sum?.dataPoints ?? [];
  expect(due.at(-1)).toMatchObject({ asInt: String(59 * 150), timeUnixNano: '1768478459500000000' });
  expect(new Set(due.map(({ startTimeUnixNano }) => startTimeUnixNano))).toEqual(new Set(['1768478400000000000']));
  const counts = due.map(({ asInt }) => Number(asInt));
  expect(counts).toEqual(counts.toSorted((one, other) => one - other));
  const times = metrics[2]?.histogram?.dataPoints ?? [];
  expect(times[59]).toMatchObject({ count: String(59 * 100), max: 0.901119 }); // as every format says
});

/** The exemplars of each latency point that has some, by its operation and its place in the run. */
function exemplarsIn(otlp: string) {
  const [{ scopeMetrics }] = otlpSchema.parse(JSON.parse(otlp)).resourceMetrics;
  const points = scopeMetrics[0].metrics.flatMap(({ histogram }) => histogram?.dataPoints ?? []);
  return points.flatMap(({ attributes, timeUnixNano, exemplars }) =>
    exemplars === undefined ? [] : [{ of: attributes[0]?.value.stringValue, timeUnixNano, exemplars }],
  );
}

test('OTLP has the slowest successes and timeouts as exemplars of the interval in which they ended', () => {
  const success = { traceId: '0af7651916cd43dd8448eb211c80319c', asDouble: 1.204, timeUnixNano: '1768478413544000000' };
  const timeout = { traceId: '1'.repeat(32), asDouble: 30, timeUnixNano: '1768478460250000000' };
  expect(exemplarsIn(renderOtlp(sampleLoadRecord()))).toEqual([
    { of: 'listModels', timeUnixNano: '1768478414000000000', exemplars: [success] },
    // It ended after the last interval.
    { of: 'listModels', timeUnixNano: '1768478459500000000', exemplars: [timeout] },
  ]);
  // While the load runs, it belongs to an interval to come.
  const soFar = renderOtlp(sampleLoadRecord(), { afterMs: 14_000, toMs: 59_500 });
  expect(exemplarsIn(soFar)).toEqual([]);
});

test('OTLP in parts has the same points as the whole', () => {
  const record = sampleLoadRecord();
  const pointsOf = (text: string) => {
    const [{ scopeMetrics }] = otlpSchema.parse(JSON.parse(text)).resourceMetrics;
    return scopeMetrics[0].metrics.map(({ sum, histogram, gauge }) => (sum ?? histogram ?? gauge)?.dataPoints ?? []);
  };
  const first = pointsOf(renderOtlp(record, { afterMs: 0, toMs: 10_000 }));
  const second = pointsOf(renderOtlp(record, { afterMs: 10_000, toMs: Infinity }));
  expect(first[0]).toHaveLength(10);
  const both = first.map((points, index) => [...points, ...(second[index] ?? [])]);
  const byTime = (points: readonly unknown[]) => points.map((point) => JSON.stringify(point)).toSorted();
  expect(both.map(byTime)).toEqual(pointsOf(renderOtlp(record)).map(byTime));
});

test('OTLP of a load that goes on states no result', () => {
  const resultsIn = (part?: OtlpPart) => {
    const [{ resource }] = otlpSchema.parse(JSON.parse(renderOtlp(sampleLoadRecord(), part))).resourceMetrics;
    return resource.attributes.filter(({ key }) => key === 'awc.result').map(({ value }) => value.stringValue);
  };
  expect(resultsIn({ afterMs: 0, toMs: 10_000 })).toEqual([]);
  expect(resultsIn({ afterMs: 10_000, toMs: Infinity })).toEqual(['missed']);
  expect(resultsIn()).toEqual(['missed']);
});

test('Markdown begins with the verdict, and keeps hostile text out of its marks', () => {
  expect(renderLoadMarkdown(sampleLoadRecord())).toMatch(/^## Failed: What do users see\?\n\nMissed: p99 20 ms/);
  expect(renderLoadMarkdown(sampleLoadRecord())).toContain(
    '| ✗ failed | <code>latency.p95 &#60; 5ms</code> | 8.00 ms |',
  );
  const tags = renderLoadMarkdown(hostileRecord).match(/<[^>]*>/g) ?? [];
  expect(new Set(tags)).toEqual(new Set(['<code>', '</code>']));
});
