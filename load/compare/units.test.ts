import { expect, test } from 'vitest';
import { seededRandom } from '../../reference/random.ts';
import { drawHalves, drawWeights } from './statistics/draw.ts';
import { countLatencies } from '../../testing/simulated/trials.ts';
import type { Block } from './trial.ts';
import { everyUnit, figureOf, logFigure, unitsOf } from './units.ts';

const { next, integer } = seededRandom(1, 'units');
const latencies = Array.from({ length: 5 }, () => Array.from({ length: integer(1, 400) }, () => integer(1, 2000)));
const units = unitsOf(latencies.map((us) => [{ latency: countLatencies(us), answers: us.length, durationMs: 500 }]));

test.each(['p50', 'p90', 'p95', 'p99'] as const)('%s of weighted units is that of all their latencies', (figure) => {
  for (let round = 0; round < 50; round += 1) {
    const weights = drawWeights(5, 1, next);
    const all = latencies.flatMap((us, unit) => Array.from({ length: weights[unit] ?? 0 }, () => us).flat());
    const sorted = all.sort((one, other) => one - other);
    const share = Number(figure.slice(1)) / 100;
    expect(figureOf(units, weights, figure)).toBe(sorted[Math.ceil(share * sorted.length - 1e-9) - 1]);
  }
});

test('throughput is answers over seconds', () => {
  const answers = latencies.reduce((sum, us) => sum + us.length, 0);
  expect(figureOf(units, everyUnit(units), 'throughput')).toBe(answers / 2.5);
});

test('a build without answers has a logarithm', () => {
  const silent = unitsOf([[{ latency: countLatencies([0]), answers: 0, durationMs: 1000 }]]);
  expect(logFigure(silent, everyUnit(silent), 'throughput')).toBeCloseTo(Math.log(0.5));
  expect(logFigure(silent, everyUnit(silent), 'p50')).toBe(0);
});

test.each([1, 3, 4])('a draw of 10 units, %i together, takes 10', (together) => {
  for (let round = 0; round < 20; round += 1) {
    expect(drawWeights(10, together, next).reduce((sum, weight) => sum + weight, 0)).toBe(10);
  }
});

test('every unit is drawn as often as every other', () => {
  const sums = new Float64Array(7);
  for (let round = 0; round < 3000; round += 1) {
    for (const [unit, weight] of drawWeights(7, 3, next).entries()) sums[unit] = (sums[unit] ?? 0) + weight;
  }
  for (const sum of sums) expect(sum / 3000).toBeCloseTo(1, 1);
});

test.each([
  [10, 1, 5],
  [9, 1, 4],
  [11, 3, 3],
  [1, 1, 0],
])('halves of %i units, %i together, have %i each and none in common', (size, together, half) => {
  const [left, right] = drawHalves(size, together, next);
  expect(left.reduce((sum, weight) => sum + weight, 0)).toBe(half);
  expect(right.reduce((sum, weight) => sum + weight, 0)).toBe(half);
  expect(left.some((weight, unit) => weight + (right[unit] ?? 0) > 1)).toBe(false);
});

test('latencies count in any order, and together if they are listed twice', () => {
  const ofLatency = (latency: Block['latency']) => unitsOf([[{ latency, answers: 3, durationMs: 1000 }]]);
  const listed = [20, 10, 10].flatMap((us) => countLatencies([us]));
  expect(ofLatency(listed)).toEqual(ofLatency(countLatencies([10, 10, 20])));
});
