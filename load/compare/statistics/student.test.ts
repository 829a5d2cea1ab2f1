import { expect, test } from 'vitest';
import { studentCdf, studentQuantile } from './student.ts';

test.each([
  [0.975, 1, 12.706],
  [0.975, 4, 2.776],
  [0.95, 9, 1.833],
  [0.995, 10, 3.169],
  [0.9975, 15, 3.286],
  [0.975, 100, 1.984],
  [0.975, 1e6, 1.96],
  [0.5, 7, 0],
  [0.025, 4, -2.776],
])('a share of %d lies below t with %d degrees of freedom at %d', (share, degrees, expected) => {
  expect(studentQuantile(share, degrees)).toBeCloseTo(expected, 3);
});

test('the quantile undoes the distribution', () => {
  for (const degrees of [1, 2.5, 7, 40]) {
    for (const share of [0.001, 0.2, 0.6, 0.9999])
      expect(studentCdf(studentQuantile(share, degrees), degrees)).toBeCloseTo(share, 9);
  }
});

test('what lies beyond every number is nothing', () => {
  expect(studentCdf(Infinity, 3)).toBe(1);
  expect(studentCdf(-Infinity, 3)).toBe(0);
});
