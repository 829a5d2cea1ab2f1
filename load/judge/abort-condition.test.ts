import { expect, test } from 'vitest';
import { countSample, createMeasurement } from '../measure/measurement.ts';
import type { Outcome } from '../measure/outcome.ts';
import { parseThreshold, type Threshold } from '../profile/threshold.ts';
import { watchConditions } from './abort-condition.ts';

function threshold(text: string): Threshold {
  const parsed = parseThreshold(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed;
}

/** Looks once a second, after requests of each second ended so, and gives the seconds in which the condition was true. */
function metAt(seconds: readonly (readonly (readonly [Outcome, number, number?])[])[]): readonly number[] {
  const measurement = createMeasurement(100_000);
  const look = watchConditions([threshold('errors.rate > 50%')], measurement, false);
  return seconds.flatMap((ended, second) => {
    for (const [outcome, count, latencyMs = 1] of ended) {
      for (let index = 0; index < count; index += 1) {
        const atMs = second * 1000 - latencyMs + 1;
        countSample(measurement, { operation: 'listModels', outcome, atMs, latencyMs, serviceMs: latencyMs });
      }
    }
    return look()?.text === 'errors.rate > 50%' ? [second] : [];
  });
}

const ok = [200, 100] as const;

test.each<readonly [string, Parameters<typeof metAt>[0], readonly number[]]>([
  ['is not met while too little was seen', [[[500, 49]]], []],
  ['is not met where half of all is errors', [[[500, 100]], [ok]], [0]],
  ['is met where more than half is', [[ok], [[500, 101]]], [1]],
  ['forgets what was long ago', [[[500, 1000]], [ok], [ok], [ok], [ok], [ok]], [0, 1, 2, 3, 4]],
  [
    'is met as soon as the requests of a target that stopped answering time out, however long they waited',
    [...Array.from({ length: 20 }, () => [ok]), ...Array.from({ length: 10 }, () => []), [['timeout', 100, 10_000]]],
    [30],
  ],
])('a condition to end early %s', (_name, seconds, met) => {
  expect(metAt(seconds)).toEqual(met);
});
