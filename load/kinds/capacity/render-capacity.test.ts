import { expect, test } from 'vitest';
import type { CapacityTrial } from './tally.ts';
import type { CapacityResult } from './next-trial.ts';
import { capacitySentence, renderCapacity } from './render-capacity.ts';

test.each<[CapacityResult, string]>([
  [
    {
      kind: 'found',
      ratePerSecond: 946,
      brokeAtPerSecond: 989,
      interval: { lowPerSecond: 938.4, highPerSecond: 1004.2 },
    },
    '946/s passed every threshold, 989/s did not: the capacity lies between 938/s and 1004/s with 95% probability, after 20 trials.',
  ],
  [
    { kind: 'at-least', ratePerSecond: 5000, limit: 'range' },
    'The capacity is at least 5000/s: the search goes no further, after 20 trials.',
  ],
  [
    { kind: 'at-least', ratePerSecond: 2810, limit: 'generator' },
    'The capacity is at least 2810/s: the generator could not send more, after 20 trials.',
  ],
  [
    { kind: 'below', ratePerSecond: 0.5, limit: 'target' },
    'The capacity is below 0.5/s, the lowest rate tried, after 20 trials.',
  ],
  [
    { kind: 'below', ratePerSecond: 10, limit: 'generator' },
    'No verdict: the generator could not keep even 10/s, after 20 trials.',
  ],
])('a result is said with what it rests on (%#)', (result, expected) => {
  expect(capacitySentence(result, 20)).toBe(expected);
});

test('the curve is a table that marks the knee', () => {
  const trials = [100, 200, 300, 400, 500].map((ratePerSecond): CapacityTrial => {
    const p95Ms = ratePerSecond < 500 ? 10 + ratePerSecond / 100 : 400;
    const outcome = ratePerSecond < 500 ? 'held' : 'broke';
    return {
      ratePerSecond,
      outcome,
      throughputPerSecond: ratePerSecond * 0.99,
      p50Ms: p95Ms / 4,
      p95Ms,
      p99Ms: 2 * p95Ms,
    };
  });
  expect(renderCapacity({ kind: 'at-least', ratePerSecond: 500, limit: 'range' }, trials)).toEqual([
    'The capacity is at least 500/s: the search goes no further, after 5 trials.',
    '',
    'rate   answers      p50     p95     p99  passed',
    '100/s      99%  2.75 ms   11 ms   22 ms  1 of 1',
    '200/s      99%     3 ms   12 ms   24 ms  1 of 1',
    '300/s      99%  3.25 ms   13 ms   26 ms  1 of 1',
    '400/s      99%   3.5 ms   14 ms   28 ms  1 of 1  ← knee',
    '500/s      99%   100 ms  400 ms  800 ms  0 of 1',
    '',
    'Knee at 400/s (p95 14 ms): beyond it latency grows faster than the rate.',
  ]);
});
