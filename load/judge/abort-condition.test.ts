import { describe, expect, test } from 'vitest';
import { countSample, createMeasurement } from '../measure/measurement.ts';
import type { Outcome } from '../measure/outcome.ts';
import { parseThreshold, type Threshold } from '../profile/threshold.ts';
import { abortReason } from './abort-condition.ts';

function threshold(text: string): Threshold {
  const parsed = parseThreshold(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed;
}

describe('conditions to end early', () => {
  function slices(kinds: readonly (readonly [number, Outcome, number])[]) {
    const measurement = createMeasurement(100_000);
    for (const [second, outcome, count] of kinds) {
      for (let index = 0; index < count; index += 1) {
        countSample(measurement, { operation: 'listModels', outcome, atMs: second * 1000, latencyMs: 1, serviceMs: 1 });
      }
    }
    return measurement;
  }
  const conditions = [threshold('errors.rate > 50%')];

  test.each<readonly [string, Parameters<typeof slices>[0], boolean]>([
    ['too little was seen', [[0, 500, 49]], false],
    [
      'half of all is errors',
      [
        [0, 500, 100],
        [1, 200, 100],
      ],
      false,
    ],
    [
      'more than half is',
      [
        [0, 500, 101],
        [1, 200, 100],
      ],
      true,
    ],
    [
      'it was long ago',
      [
        [0, 500, 1000],
        [6, 200, 100],
      ],
      false,
    ],
  ])('%s', (_name, kinds, isMet) => {
    expect(abortReason(conditions, slices(kinds), false)?.text).toBe(isMet ? 'errors.rate > 50%' : undefined);
  });
});
