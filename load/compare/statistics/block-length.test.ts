import { expect, test } from 'vitest';
import { seededRandom } from '../../../reference/random.ts';
import { blockLength } from './block-length.ts';
import { normal } from '../../../testing/simulated/trials.ts';

/** A series in which each value remembers a share of the one before. */
function remembering(share: number, length: number, seed: number): readonly number[] {
  const { next } = seededRandom(seed, 'series');
  let value = 0;
  return Array.from({ length }, () => (value = share * value + normal(next)));
}

function mean(share: number, length: number): number {
  const lengths = Array.from({ length: 20 }, (_, seed) => blockLength(remembering(share, length, seed)));
  return lengths.reduce((sum, each) => sum + each, 0) / lengths.length;
}

test('values without memory stay by themselves', () => {
  expect(mean(0, 200)).toBeLessThan(3);
});

test('the longer the memory, the more stay together', () => {
  expect(mean(0.5, 200)).toBeGreaterThan(3);
  expect(mean(0.9, 200)).toBeGreaterThan(mean(0.5, 200));
});

test.each([[[]], [[1]], [[1, 2, 3]], [Array<number>(50).fill(7)]])(
  'a series that has nothing to tell: 1 (%#)',
  (values) => {
    expect(blockLength(values)).toBe(1);
  },
);

test('never more than a third of the series', () => {
  for (const length of [9, 12, 30])
    expect(blockLength(remembering(0.99, length, 1))).toBeLessThanOrEqual(Math.ceil(length / 3));
});
