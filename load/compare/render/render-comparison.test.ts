import { expect, test } from 'vitest';
import type { Basis, FigureComparison, Verdict } from '../comparison.ts';
import type { Figure } from './figure.ts';
import { renderComparison } from './render-comparison.ts';
import { sentence } from './sentence.ts';
import { change, percent, range } from './words.ts';

const basis: Basis = {
  interval: { low: 0.97, high: 1.04 },
  detectable: 0.15,
  power: 0.973,
  roundsToTell: 29,
};

function compared(figure: Figure, verdict: Verdict, over: Partial<Basis> = {}): FigureComparison {
  return {
    figure,
    a: figure === 'throughput' ? 500 : 9200,
    b: figure === 'throughput' ? 493.6 : 9310,
    ratio: 1.012,
    verdict,
    trialToTrial: 0.69,
    basis: { ...basis, ...over },
  };
}

const bothKeptUp: Verdict = { kind: 'kept-up', shortfall: { missing: 0.0123, beyondChance: 0.004 } };
const cannotTell: Verdict = { kind: 'cannot-tell', reason: undefined };

test.each([
  [
    compared('p95', { kind: 'worse' }, { interval: { low: 1.12, high: 1.28 } }),
    'p95 is worse: A 9.2 ms, B 9.31 ms, 12% to 28% more.',
  ],
  [
    compared('p50', { kind: 'better' }, { interval: { low: 0.8, high: 0.91 } }),
    'p50 is better: A 9.2 ms, B 9.31 ms, 9% to 20% less.',
  ],
  [
    compared('p50', { kind: 'no-worse' }),
    'p50 is no worse than 5%: A 9.2 ms, B 9.31 ms, at worst 4% more (95% confidence; an equal build gets this verdict in 97 of 100 comparisons).',
  ],
  [
    compared('throughput', { kind: 'no-worse' }),
    'throughput is no worse than 5%: A 500/s, B 494/s, at worst 3% less (95% confidence; an equal build gets this verdict in 97 of 100 comparisons).',
  ],
  [
    compared('p99', cannotTell),
    'p99: cannot tell. A 9.2 ms, B 9.31 ms, 3% less to 4% more. p99 of one trial varies by 69%: this comparison detects changes of 15% or more. After 29 rounds an equal build is called no worse than 5%.',
  ],
  [
    compared('throughput', cannotTell, { detectable: 1, roundsToTell: undefined }),
    'throughput: cannot tell. A 500/s, B 494/s, 3% less to 4% more. throughput of one trial varies by 69%: this comparison detects changes of 50% or more.',
  ],
  [
    { ...compared('p99', { kind: 'cannot-tell', reason: 'it takes more' }), basis: undefined },
    'p99: cannot tell. A 9.2 ms, B 9.31 ms; it takes more.',
  ],
  [
    { ...compared('throughput', bothKeptUp), basis: undefined },
    'throughput is not compared: both builds kept up with the load (A 500/s, B 494/s, at most 1.2% missing in every run, 0.4% beyond chance).',
  ],
])('each verdict is said with what it rests on (%#)', (comparison, expected) => {
  expect(sentence(comparison, 0.05)).toBe(expected);
});

test('a comparison is a table and a sentence for each figure', () => {
  const keptUp: FigureComparison = { ...compared('throughput', bothKeptUp), basis: undefined };
  const none: FigureComparison = { ...compared('p95', { ...cannotTell }), ratio: NaN, basis: undefined };
  const figures = [compared('p50', { kind: 'no-worse' }), none, compared('p99', { ...cannotTell }), keptUp];
  const lines = renderComparison({ unit: 'round', trials: { a: 8, b: 8 }, margin: 0.05, figures });
  expect(lines.slice(0, 7)).toEqual([
    'B against A: 8 rounds of both builds, interleaved.',
    '',
    '                 A        B   B/A  95% interval  noise floor  verdict',
    'p50         9.2 ms  9.31 ms  1.01  0.97 to 1.04          15%  no worse than 5%',
    'p95         9.2 ms  9.31 ms     –             –            –  cannot tell',
    'p99         9.2 ms  9.31 ms  1.01  0.97 to 1.04          15%  cannot tell',
    'throughput   500/s    494/s  1.01             –            –  both kept up',
  ]);
  expect(lines.slice(8)).toEqual(figures.map((figure) => sentence(figure, 0.05)));
});

test.each([
  [1, 'the same'],
  [1.0002, 'the same'],
  [1.123, '12% more'],
  [0.954, '4.6% less'],
  [40, 'over 1000% more'],
])('a ratio of %d is %s', (ratio, words) => {
  expect(change(ratio)).toBe(words);
});

test.each([
  [1.02, 1.2, '2% to 20% more'],
  [0.8, 0.91, '9% to 20% less'],
  [0.9, 1.1, '10% less to 10% more'],
  [1, 1.1, 'the same to 10% more'],
  [1.5, 30, '50% to over 1000% more'],
])('from %d to %d is %s', (low, high, words) => {
  expect(range({ low, high })).toBe(words);
});

test('percentages have no more digits than they are good for', () => {
  expect([0.0004, 0.0123, 0.0996, 0.4567, 99].map(percent)).toEqual(['0%', '1.2%', '10%', '46%', 'over 1000%']);
});
