import { expect, test } from 'vitest';
import { countSample, createMeasurement } from '../measure/measurement.ts';
import type { Outcome } from '../measure/outcome.ts';
import { throughputOf } from './measured.ts';

test('answers that arrive after the end are no throughput, and those to the warm-up that arrive before it are', () => {
  const measuredMs = 1000;
  const measurement = createMeasurement(measuredMs);
  const answer = (atMs: number, latencyMs: number, outcome: Outcome = 200) =>
    countSample(measurement, { operation: 'listModels', outcome, atMs, latencyMs, serviceMs: latencyMs });
  for (const latencyMs of [99, 500, 899, 900, 5000]) answer(100, latencyMs);
  answer(200, 10, 429);
  answer(-100, 50);
  answer(-100, 150);
  const { operations, slices } = measurement;
  expect(throughputOf({ operations, measuredMs })).toBe(4);
  expect(slices.map(({ arrived }) => arrived)).toEqual([4]);
  expect(slices[0]?.classes.get('ok')).toBe(5);
});
