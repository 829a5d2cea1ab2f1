import { expect, test } from 'vitest';
import { figuresOfTrial, trialOfRecord } from './trial-of-record.ts';

test('a record is a trial of its slices, and has the figures of all its answers', () => {
  const trial = trialOfRecord({
    sliceMs: 1000,
    measuredMs: 1500,
    slices: [
      {
        due: 4,
        lagMaxUs: 0,
        classes: { ok: 3, timeout: 1 },
        latency: {
          listModels: [
            [1000, 2],
            [90_000, 1],
          ],
          listDataSources: [[1000, 1]],
        },
      },
      { due: 2, lagMaxUs: 0, classes: { ok: 1, rateLimited: 1 }, latency: { listModels: [[2000, 1]] } },
    ],
  });
  expect(trial.blocks).toEqual([
    {
      latency: [
        [1000, 2],
        [90_000, 1],
        [1000, 1],
      ],
      answers: 3,
      durationMs: 1000,
    },
    { latency: [[2000, 1]], answers: 1, durationMs: 500 },
  ]);
  expect(figuresOfTrial(trial)).toEqual({ p50: 1000, p90: 90_000, p95: 90_000, p99: 90_000, throughput: 4 / 1.5 });
});

test('answers count in the interval in which they arrived, except in older records', () => {
  const slice = { due: 4, lagMaxUs: 0, classes: { ok: 4 }, latency: {} };
  const answersOf = (...arrived: readonly (number | undefined)[]) =>
    trialOfRecord({
      sliceMs: 1000,
      measuredMs: 2000,
      slices: arrived.map((count) => ({ ...slice, arrived: count })),
    }).blocks.map(({ answers }) => answers);
  expect(answersOf(1, 3)).toEqual([1, 3]);
  expect(answersOf(undefined, undefined)).toEqual([4, 4]);
});

test('how many requests a random schedule happened to have is no throughput', () => {
  const slice = (due: number, ok: number) => ({ due, lagMaxUs: 0, classes: { ok }, latency: { listModels: [] } });
  const record = { sliceMs: 1000, measuredMs: 2000, offeredPerSecond: 100 };
  const throughputOf = (...slices: readonly ReturnType<typeof slice>[]) =>
    figuresOfTrial(trialOfRecord({ ...record, slices: [...slices] })).throughput;
  expect(throughputOf(slice(90, 90), slice(80, 80))).toBeCloseTo(100);
  expect(throughputOf(slice(110, 110), slice(130, 130))).toBeCloseTo(100);
  expect(throughputOf(slice(100, 90), slice(100, 90))).toBeCloseTo(90);
});

test.each([
  ['that answers all in time', { arrived: 100, ok: 100 }, 1000, 0, 0],
  ['that answers more in time, because some were of the warm-up', { arrived: 103, ok: 100 }, 1000, 0, 0],
  ['that has 40 requests under way at a time', { arrived: 87, ok: 100 }, 400_000, 0.13, 0],
  // Three times the root of 2 · 10 requests under way, of 200.
  ['whose queue grows', { arrived: 80, ok: 100 }, 100_000, 0.2, 0.133],
  ['that fails', { arrived: 90, ok: 90 }, 400_000, 0.1, 0.1],
  ['that fails, and works off a queue of the warm-up', { arrived: 100, ok: 90 }, 400_000, 0.1, 0.1],
  ['that refuses rightly', { arrived: 90, ok: 90, conflict: 10 }, 1000, 0.1, 0.1],
])('the shortfall of a build %s', (_name, { arrived, ...classes }, us, missing, beyondChance) => {
  const times: [number, number] = [us, 100];
  const slice = { due: 100, lagMaxUs: 0, arrived, classes, latency: { listModels: [times] } };
  const record = { sliceMs: 1000, measuredMs: 2000, slices: [slice, slice] };
  const { shortfall } = trialOfRecord({ ...record, offeredPerSecond: 100 });
  expect(shortfall?.missing).toBeCloseTo(missing, 3);
  expect(shortfall?.beyondChance).toBeCloseTo(beyondChance, 3);
  expect(trialOfRecord(record).shortfall).toBeUndefined();
});

test('requests that a growing rate leaves under way at the end are missing', () => {
  // Each request takes a second, so those of the last second are answered after the end.
  const slices = [20, 40, 60, 80].map((due, second) => {
    const times: [number, number] = [1_000_000, due];
    const arrived = [20, 20, 40, 60][second] ?? 0; // the first ones are of the warm-up
    return { due, lagMaxUs: 0, arrived, classes: { ok: due }, latency: { listModels: [times] } };
  });
  const { shortfall } = trialOfRecord({ sliceMs: 1000, measuredMs: 4000, offeredPerSecond: 50, slices });
  expect(shortfall?.missing).toBeCloseTo(0.3);
  expect(shortfall?.beyondChance).toBeGreaterThan(0.1);
});
