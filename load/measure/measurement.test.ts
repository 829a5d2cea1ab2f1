import { expect, test } from 'vitest';
import {
  addStep,
  countSample,
  countSent,
  countStep,
  countUnsent,
  createMeasurement,
  type Measurement,
} from './measurement.ts';

/** A request that is sent when it is due, and answered 50 ms later. */
function request(to: Measurement, atMs: number, isWarmUp?: boolean): void {
  countSent(to, 'listModels', atMs, 1, isWarmUp);
  const times = { latencyMs: 50, serviceMs: 50 };
  countSample(to, { operation: 'listModels', outcome: 200, atMs, ...times }, isWarmUp);
}

function countsIn({ slices }: Measurement) {
  return slices.map(({ scheduled, arrived, classes }) => [scheduled, arrived, classes.get('ok') ?? 0]);
}

test('requests that are scheduled after the end count for their operation, but in no slice', () => {
  const measurement = createMeasurement(1500);
  for (const atMs of [0, 999, 1400, 1480, 1500, 2600]) request(measurement, atMs);
  countUnsent(measurement, 'listModels', 1499, 'dropped');
  countUnsent(measurement, 'listModels', 1500, 'dropped');
  // The answer to the request at 999 arrives in the second slice, and that to the one at 1480 after the end.
  expect(countsIn(measurement)).toEqual([
    [2, 1, 2],
    [3, 2, 2],
  ]);
  const listed = measurement.operations.get('listModels');
  expect(listed).toMatchObject({ sent: 6, arrived: 3, dropped: 2 });
  expect(listed?.outcomes.get(200)?.count).toBe(6);
});

test('of users of the warm-up, slices count what is scheduled in the measured part, and the throughput what arrives in it', () => {
  const measurement = createMeasurement(1000);
  for (const atMs of [-100, -20, 400, 970]) request(measurement, atMs, true);
  expect(countsIn(measurement)).toEqual([[2, 2, 2]]);
  expect(measurement.slices[0]?.waiting).toBe(0);
  expect(measurement.warmUp).toBe(4);
  expect(measurement.lag.totalCount).toBe(0);
  expect(measurement.slowest.all()).toEqual([]);
  expect(measurement.operations.get('listModels')).toMatchObject({ sent: 0, arrived: 2, outcomes: new Map() });
});

test('a step counts in the throughput if it succeeded within the measured part', () => {
  const measurement = createMeasurement(1000);
  addStep(measurement, 'page', 'listModels');
  const step = (atMs: number, isWarmUp: boolean, outcome = 200) =>
    countStep(measurement, 'page', { outcome, atMs, latencyMs: 50, serviceMs: 50 }, isWarmUp);
  step(-60, true);
  step(-40, true);
  step(500, true);
  step(500, true, 500);
  expect(measurement.steps.get('page')).toMatchObject({ sent: 0, arrived: 2, outcomes: new Map() });
  step(900, false);
  step(940, false, 500);
  step(960, false);
  expect(measurement.steps.get('page')).toMatchObject({ sent: 3, arrived: 3 });
  countStep(measurement, 'page', 'skipped', true);
  countStep(measurement, 'page', 'skipped');
  expect(measurement.steps.get('page')?.dropped).toBe(1);
});
