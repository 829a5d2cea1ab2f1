import { expect, test } from 'vitest';
import { distributionOf } from '../../load/measure/distribution.ts';
import { createHistogram } from '../../load/measure/histogram.ts';
import type { Distribution } from '../../reports/load/distribution-record.ts';
import type { LoadRecord } from '../../reports/load/load-record.ts';
import { sampleLoadRecord } from '../../testing/samples/load-records.ts';
import { createCollector } from '../../testing/try-awc.ts';
import { otlpCollector } from '../../testing/network/otlp-collector.ts';
import { renderOtlp } from '../../reports/load/otlp.ts';
import { withOtlpPush } from './push-otlp.ts';

const empty = distributionOf(createHistogram());

const env = { OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=a, api-key=se%3Dcret' };

test('what a load measured arrives at the collector, with the headers that it needs', async () => {
  const { received, url } = await otlpCollector(200);
  const err = createCollector();
  const record = sampleLoadRecord();
  await withOtlpPush(url, { env, err }, async (shown) => shown?.over(record, ''));
  expect(received).toEqual([{ path: '/v1/metrics', key: 'se=cret', body: JSON.parse(renderOtlp(record)) }]);
  expect(err.text()).toBe('');
});

test('a push asks for nothing but what the slices of a load have, so its threads build no histograms for it', async () => {
  const { received, url } = await otlpCollector(200);
  const record = sampleLoadRecord();
  const countsAlone = (distribution: Distribution): Distribution => ({ ...empty, count: distribution.count });
  const slices: LoadRecord = {
    ...record,
    operations: record.operations.map(({ outcomes, ...operation }) => ({
      ...operation,
      outcomes: outcomes.map((outcome) => ({
        ...outcome,
        latency: countsAlone(outcome.latency),
        service: countsAlone(outcome.service),
      })),
    })),
    generator: { ...record.generator, ...(record.generator.lag && { lag: countsAlone(record.generator.lag) }) },
  };
  await withOtlpPush(url, { env, err: createCollector() }, async (shown) => {
    expect(shown?.isWatched()).toBe(false);
    shown?.over(slices, '');
  });
  expect(received.map(({ body }) => body)).toEqual([JSON.parse(renderOtlp(record))]);
});

test('each of several loads begins anew', async () => {
  const { received, url } = await otlpCollector(200);
  const records = ['2026-01-01T00:00:00.000Z', '2026-01-01T00:01:00.000Z'].map((startedAt) =>
    sampleLoadRecord({ startedAt }),
  );
  await withOtlpPush(url, { env, err: createCollector() }, async (shown) => {
    for (const record of records) shown?.over(record, '');
  });
  expect(received.map(({ body }) => body)).toEqual(records.map((record) => JSON.parse(renderOtlp(record))));
});

test.each([
  ['refuses', async () => (await otlpCollector(403)).url, 'it answered 403'],
  ['is not there', async () => 'http://127.0.0.1:1/v1/metrics?key=se=cret', 'ECONNREFUSED'],
])('a collector that %s changes no result, and its secrets are not shown', async (_name, urlOf, reason) => {
  const err = createCollector();
  const result = await withOtlpPush(await urlOf(), { env, err }, async (shown) => {
    shown?.over(sampleLoadRecord(), '');
    return 'the result';
  });
  expect(result).toBe('the result');
  expect(err.text()).toBe(`! 1 of 1 pushes to the collector failed: ${reason}\n`);
});

test.each(['no pair', 'key=%E0%A4%A'])('headers that cannot be read are refused: %s', async (headers) => {
  const context = { env: { OTEL_EXPORTER_OTLP_HEADERS: headers }, err: createCollector() };
  await expect(withOtlpPush('http://127.0.0.1:1', context, async () => {})).rejects.toThrow(
    'OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs',
  );
});
