import { expect, test } from 'vitest';
import { seededRandom } from '../../../reference/random.ts';
import { knee } from './knee.ts';
import { type CurvePoint, latencyCurve } from './latency-curve.ts';
import { simulateCapacityTrial } from '../../../testing/simulated/server.ts';

function curveOf(p95Ms: (ratePerSecond: number) => number, rates: readonly number[]): readonly CurvePoint[] {
  return latencyCurve(
    rates.map((ratePerSecond) => {
      const ms = p95Ms(ratePerSecond);
      return {
        ratePerSecond,
        outcome: 'held',
        throughputPerSecond: ratePerSecond,
        p50Ms: ms / 2,
        p95Ms: ms,
        p99Ms: 2 * ms,
      };
    }),
  );
}

const evenly = Array.from({ length: 20 }, (_, index) => 50 * (index + 1));

test('a curve that is flat to a rate and steep beyond has its knee there', () => {
  const bent = curveOf((rate) => Math.exp(rate <= 700 ? rate / 5000 : 0.14 + (rate - 700) / 60), evenly);
  expect(knee(bent)?.ratePerSecond).toBe(700);
});

test.each([
  ['straight', (rate: number) => Math.exp(rate / 500)],
  ['flat', () => 5],
  ['flattening', (rate: number) => Math.exp(Math.sqrt(rate))],
])('a curve that is %s has none', (_, p95Ms) => {
  expect(knee(curveOf(p95Ms, evenly))).toBeUndefined();
});

test('a handful of points has none', () => {
  expect(knee(curveOf((rate) => 1 / (1001 - rate), evenly.slice(0, 4)))).toBeUndefined();
});

test.each([1, 2, 3, 4, 5])(
  'the knee of a queue lies between half of what it serves and all, in spite of noise (%i)',
  (seed) => {
    const { next } = seededRandom(seed, 'knee');
    const server = { servedPerSecond: 1000, speedNoise: 0.02, latencyNoise: 0.15, accidents: 0.1 };
    const rates = [...evenly, ...evenly, ...evenly];
    const found = knee(latencyCurve(rates.map((rate) => simulateCapacityTrial(server, rate, 100, next))));
    expect(found?.ratePerSecond).toBeGreaterThanOrEqual(500);
    expect(found?.ratePerSecond).toBeLessThan(1000);
  },
);

test('the curve has one point a rate, the median of its trials, without what the generator spoilt', () => {
  const point = { throughputPerSecond: 9, p50Ms: 1, p99Ms: 9 };
  expect(
    latencyCurve([
      { ...point, ratePerSecond: 20, outcome: 'broke', p95Ms: 7 },
      { ...point, ratePerSecond: 10, outcome: 'held', p95Ms: 2 },
      { ...point, ratePerSecond: 10, outcome: 'broke', p95Ms: 5 },
      { ...point, ratePerSecond: 10, outcome: 'generator', p95Ms: 99 },
    ]),
  ).toEqual([
    { ...point, ratePerSecond: 10, trials: 2, passed: 1, correct: 2, p95Ms: 3.5 },
    { ...point, ratePerSecond: 20, trials: 1, passed: 0, correct: 1, p95Ms: 7 },
  ]);
});
