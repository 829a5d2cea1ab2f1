import { expect, test } from 'vitest';
import type { HttpRequest } from '../../core/http.ts';
import type { Operation } from '../../spec/requirement.ts';
import { countSample, createMeasurement } from './measurement.ts';
import { createSlowest, mostSlowest, slowestOf } from './slowest.ts';

const traceId = (index: number) => String(index).padStart(32, '0');

function sentAs(id: string): HttpRequest {
  return { method: 'GET', path: '/', headers: {}, timeoutMs: 1, trace: { traceId: id, spanId: '' } };
}

function sample(operation: Operation, latencyMs: number, index = latencyMs) {
  return { operation, outcome: 200, atMs: 0, latencyMs, serviceMs: 1, sent: () => sentAs(traceId(index)) };
}

const latencies = (requests: readonly { readonly latencyMs: number }[]) => requests.map(({ latencyMs }) => latencyMs);

test('the slowest requests of each operation are kept, in order', () => {
  const slowest = createSlowest();
  for (let index = 0; index < 1000; index += 1) slowest.offer(sample('listModels', (index * 7919) % 1000));
  slowest.offer(sample('sendMessage', 3));
  slowest.offer(sample('sendMessage', 4));
  const all = slowest.all();
  expect(latencies(all)).toEqual([999, 998, 997, 996, 995, 4, 3]);
  expect(all[0]).toEqual({
    operation: 'listModels',
    outcome: 200,
    atMs: 0,
    latencyMs: 999,
    serviceMs: 1,
    traceId: traceId(999),
  });
});

test('a request that is not slow costs a comparison: nothing is made of it', () => {
  const slowest = createSlowest();
  for (let index = 0; index < mostSlowest; index += 1) slowest.offer(sample('listModels', 10, index));
  const sent = () => {
    throw new Error('asked for its trace');
  };
  slowest.offer({ ...sample('listModels', 10), sent });
  expect(slowest.all().map((one) => one.traceId)).toEqual([0, 1, 2, 3, 4].map(traceId));
});

test('what was never sent is not kept: no trace leads to it', () => {
  const slowest = createSlowest();
  slowest.offer({ ...sample('listModels', 10), sent: undefined, serviceMs: undefined });
  expect(slowest.all()).toEqual([]);
});

test('the warm-up counts in nothing', () => {
  const measurement = createMeasurement(1000);
  countSample(measurement, { ...sample('listModels', 900), atMs: -1 });
  countSample(measurement, sample('listModels', 2));
  expect(latencies(measurement.slowest.all())).toEqual([2]);
});

test('of several parts, the slowest of all are kept', () => {
  const part = (from: number) => Array.from({ length: mostSlowest }, (_, index) => sample('listModels', from - index));
  const merged = slowestOf([...part(100), ...part(102), sample('sendMessage', 1)]);
  expect(latencies(merged)).toEqual([102, 101, 100, 100, 99, 1]);
});
