import { expect, test } from 'vitest';
import type { Operation } from '../../spec/requirement.ts';
import { addStep, countSample, countSent, countStep, createMeasurement } from '../measure/measurement.ts';
import type { Outcome } from '../measure/outcome.ts';
import { parseThreshold, type Threshold } from '../profile/threshold.ts';
import { neverJudged, watchConditions } from './abort-condition.ts';

function threshold(text: string, steps: readonly string[] = []): Threshold {
  const parsed = parseThreshold(text, steps);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed;
}

type Ended = {
  readonly outcome: Outcome;
  readonly count: number;
  readonly latencyMs?: number;
  readonly serviceMs?: number;
  readonly operation?: Operation;
};

/** No request here takes longer. */
const longestS = 10;

/** Looks once a second, after requests of each second ended so, and gives the seconds in which the condition was true. */
function metAt(text: string, seconds: readonly (readonly Ended[])[]): readonly number[] {
  const measurement = createMeasurement(100_000);
  const look = watchConditions([threshold(text)], { ...measurement, rateLimitedIsError: false });
  return seconds.flatMap((ended, second) => {
    for (const { outcome, count, latencyMs = 1, serviceMs = latencyMs, operation = 'listModels' } of ended) {
      for (let index = 0; index < count; index += 1) {
        const atMs = (longestS + second) * 1000 - latencyMs + 1;
        countSample(measurement, { operation, outcome, atMs, latencyMs, serviceMs });
      }
    }
    return look()?.text === text ? [second] : [];
  });
}

const ok = { outcome: 200, count: 100 } as const;
const failed = (count: number) => ({ outcome: 500, count }) as const;
const slow = (count: number, latencyMs = 3000) => ({ outcome: 200, count, latencyMs }) as const;

test.each<readonly [string, readonly (readonly Ended[])[], readonly number[]]>([
  ['is not met while too little was seen', [[failed(49)]], []],
  ['is not met where half of all is errors', [[failed(100)], [ok]], [0]],
  ['is met where more than half is', [[ok], [failed(101)]], [1]],
  ['forgets what was long ago', [[failed(1000)], [ok], [ok], [ok], [ok], [ok]], [0, 1, 2, 3, 4]],
  [
    'is met as soon as the requests of a target that stopped answering time out, however long they waited',
    [
      ...Array.from({ length: 20 }, () => [ok]),
      ...Array.from({ length: 10 }, () => []),
      [{ outcome: 'timeout', count: 100, latencyMs: 10_000 }],
    ],
    [30],
  ],
])('a condition to end early %s', (_name, seconds, met) => {
  expect(metAt('errors.rate > 50%', seconds)).toEqual(met);
});

test.each<readonly [string, readonly (readonly Ended[])[], readonly number[]]>([
  ['latency.p99 > 2s', [[ok], [slow(1)], [slow(2)]], [2]],
  ['latency.p99 > 2s', [[slow(99)], [slow(1)]], [1]],
  ['latency.p99 > 2s', [[slow(200)], [ok], [ok], [ok], [ok], [ok], [slow(1)]], [0, 1, 2, 3, 4]],
  ['latency.p95 > 2s', [[slow(49)], [slow(1)], [ok, slow(1000, 1)]], [1]],
  ['latency.max > 2s', [[ok], [slow(1, 1_999)], [slow(1)], [ok], [ok], [ok], [ok], [ok]], [2, 3, 4, 5, 6]],
  ['latency.mean > 2s', [[ok, slow(100)], [slow(400)]], [1]],
  ['latency.p50 > 2s', [[{ outcome: 'timeout', count: 60, latencyMs: 10_000 }]], [0]],
  ['latency.p50 > 2s', [[{ ...failed(600), latencyMs: 10_000 }]], []],
  ['service.p95 > 2s', [[{ ...slow(100), serviceMs: 10 }], [slow(100)]], [1]],
  ['listModels.latency.p99 > 2s', [[ok, { ...slow(100), operation: 'sendMessage' }], [slow(2)]], [1]],
  ['sendMessage.latency.p99 > 2s', [[ok, { ...slow(99), operation: 'sendMessage' }]], []],
  ['sendMessage.errors.rate > 20%', [[{ ...failed(21), operation: 'sendMessage' }, ok]], []],
  [
    'sendMessage.errors.rate > 20%',
    [[{ ...ok, operation: 'sendMessage' }], [ok, { ...failed(26), operation: 'sendMessage' }]],
    [1],
  ],
])('%s is about the requests that ended in the last five seconds: %j', (text, seconds, met) => {
  expect(metAt(text, seconds)).toEqual(met);
});

test('of several conditions, the first that is true ends a run, and each looks every time', () => {
  const measurement = createMeasurement(100_000);
  const conditions = ['latency.p50 > 1s', 'errors.rate > 1%'].map((text) => threshold(text));
  const look = watchConditions(conditions, { ...measurement, rateLimitedIsError: false });
  const end = (outcome: Outcome, latencyMs: number) => {
    for (let index = 0; index < 100; index += 1)
      countSample(measurement, { operation: 'listModels', outcome, atMs: 0, latencyMs, serviceMs: latencyMs });
    return look()?.text;
  };
  expect([end(200, 1), end(500, 1), end(200, 2000), end(200, 2000)]).toEqual([
    undefined,
    'errors.rate > 1%',
    'errors.rate > 1%',
    'latency.p50 > 1s',
  ]);
});

test('a time that the generator may have caused ends no run', () => {
  const measurement = createMeasurement(100_000);
  const look = watchConditions([threshold('latency.p50 > 1s')], { ...measurement, rateLimitedIsError: false });
  const send = (lagMs: number, latencyMs: number) => {
    for (let index = 0; index < 100; index += 1) {
      countSent(measurement, 'listModels', 0, lagMs);
      countSample(measurement, { operation: 'listModels', outcome: 200, atMs: 0, latencyMs, serviceMs: 1 });
    }
    return look()?.text;
  };
  expect(send(600, 2000)).toBeUndefined();
  for (let second = 0; second < 4; second += 1) expect(send(0, 1)).toBeUndefined();
  expect(send(0, 1)).toBeUndefined();
  for (let second = 0; second < 2; second += 1) expect(send(400, 2000)).toBeUndefined();
  expect(send(400, 2000)).toBe('latency.p50 > 1s');
});

test('a condition can be about a step of a flow', () => {
  const measurement = createMeasurement(100_000);
  addStep(measurement, 'ask', 'sendMessage');
  const condition = threshold('ask.latency.p50 > 1s', ['ask']);
  const look = watchConditions([condition], { ...measurement, rateLimitedIsError: false });
  for (let index = 0; index < 50; index += 1)
    countStep(measurement, 'ask', { outcome: 200, atMs: 0, latencyMs: 2000, serviceMs: 2000 });
  expect(look()).toBe(condition);
});

test.each([
  ['latency.p99 > 2s', 20, false],
  ['latency.p99 > 2s', 19, true],
  ['latency.p999 > 2s', 200, false],
  ['latency.p999 > 2s', 199, true],
  ['latency.mean > 2s', 9, true],
  ['errors.rate > 50%', 10, false],
  ['errors.rate > 50%', 9, true],
])('%s at %d requests a second', (text, perSecond, isNever) => {
  expect(neverJudged([threshold(text)], perSecond)).toHaveLength(isNever ? 1 : 0);
});
