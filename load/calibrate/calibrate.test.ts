import { expect, test } from 'vitest';
import { calibrate, startModelServer } from './calibrate.ts';
import { calibrationTable } from './calibration-table.ts';
import { type LatencyModel, modelLatencyMs, latencyModels, trueLatencyMs } from './latency-models.ts';

test.each<readonly [LatencyModel, number, number, number]>([
  [latencyModels.constant, 5, 5, 5],
  [latencyModels.stall, 5, 505, 905],
  [latencyModels.blindSpot, 105, 555, 595],
])('the true percentiles of %o', (model, p50, p95, p99) => {
  for (const [share, expected] of [
    [0.5, p50],
    [0.95, p95],
    [0.99, p99],
  ] as const) {
    expect(trueLatencyMs(model, share)).toBeCloseTo(expected, 6);
  }
});

test.each(Object.values(latencyModels))('the percentiles of %o match the waits of its requests', (model) => {
  const waits = Array.from({ length: 10_000 }, (_, index) => modelLatencyMs(model, index)).toSorted((a, b) => a - b);
  for (const share of [0.5, 0.95, 0.99]) {
    expect(Math.abs((waits[Math.floor(share * 10_000)] ?? 0) - trueLatencyMs(model, share))).toBeLessThan(2);
  }
});

test('the open engine sees a stall, and the table lists both engines', async () => {
  const model: LatencyModel = { name: 'stall', baseMs: 5, periodMs: 400, stallFromMs: 130, stallUntilMs: 330 };
  const [open, closed] = await calibrate({
    model,
    arrivals: 'poisson',
    ratePerSecond: 200,
    connections: 4,
    durationMs: 800,
    seed: 1,
  });
  if (open === undefined || closed === undefined) throw new Error('an engine is missing');
  const ratio = (of: typeof open, wanted: string) => {
    const found = of.points.find(({ point }) => point === wanted);
    return (found?.reportedMs ?? 0) / (found?.trueMs ?? 1);
  };
  expect(ratio(open, 'p95')).toBeGreaterThan(0.85);
  expect(ratio(open, 'p99')).toBeGreaterThan(0.85);
  const { text } = calibrationTable([open, closed]);
  expect(
    text
      .split('\n')
      .slice(1, 7)
      .every((line) => line.startsWith('stall')),
  ).toBe(true);
});

test('the target shows how much later than its model it answered', async () => {
  const server = await startModelServer(latencyModels.constant);
  for (const _ of [1, 2, 3]) await (await fetch(server.url)).text();
  const answered = await server.noted();
  expect(answered.map(({ modelMs }) => modelMs)).toEqual([5, 5, 5]);
  for (const { lateMs } of answered) expect(lateMs).toBeGreaterThan(-1);
  expect(await server.noted()).toEqual([]);
  await server.close();
});

test('a calibration that is off is not trustworthy', () => {
  const of = (engine: 'open' | 'closed', reportedMs: number, trueMs = 100) => ({
    model: latencyModels.stall,
    engine,
    answers: 9,
    points: [{ point: 'p99' as const, trueMs, reportedMs }],
  });
  expect(calibrationTable([of('open', 109), of('closed', 5)]).isTrustworthy).toBe(true);
  expect(calibrationTable([of('open', 111)]).isTrustworthy).toBe(false);
  expect(calibrationTable([of('open', 9.9, 5)]).isTrustworthy).toBe(true); // within what timers add
  expect(calibrationTable([of('open', 61.2, 5)]).isTrustworthy).toBe(false);
});
