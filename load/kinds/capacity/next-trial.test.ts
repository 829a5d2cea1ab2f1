import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../reference/random.ts';
import { type CapacityOptions, type CapacityResult, nextTrial } from './next-trial.ts';
import { ceilingPerSecond, type SimulatedServer, simulateCapacityTrial } from '../../../testing/simulated/server.ts';
import { type CapacityTrial, passingRates } from './tally.ts';

const options: CapacityOptions = { fromPerSecond: 10, toPerSecond: 20_000, repeats: 3, precision: 0.05 };
const limitMs = 100;

function search(trialAt: (ratePerSecond: number) => CapacityTrial, over: Partial<CapacityOptions> = {}) {
  const trials: CapacityTrial[] = [];
  while (trials.length < 300) {
    const next = nextTrial({ ...options, ...over }, trials);
    if (next.kind === 'done') return { result: next.result, trials };
    trials.push(trialAt(next.ratePerSecond));
  }
  throw new Error('the search does not end');
}

function outcomeAt(
  outcome: (ratePerSecond: number) => CapacityTrial['outcome'],
): (ratePerSecond: number) => CapacityTrial {
  return (ratePerSecond) => ({
    ratePerSecond,
    outcome: outcome(ratePerSecond),
    throughputPerSecond: ratePerSecond,
    p50Ms: 1,
    p95Ms: 2,
    p99Ms: 3,
  });
}

function rateOf(result: CapacityResult): number {
  return result.kind === 'found' ? result.ratePerSecond : NaN;
}

const servers: readonly (readonly [string, SimulatedServer])[] = [
  ['noisy', { servedPerSecond: 1000, speedNoise: 0.02, latencyNoise: 0.2, accidents: 0 }],
  ['accident-prone', { servedPerSecond: 730, speedNoise: 0.02, latencyNoise: 0.1, accidents: 0.1 }],
  ['fast', { servedPerSecond: 11_300, speedNoise: 0.03, latencyNoise: 0.2, accidents: 0.05 }],
  ['slow', { servedPerSecond: 95, speedNoise: 0.02, latencyNoise: 0.05, accidents: 0.05 }],
];

test.each(servers)('of 100 searches on a server that is %s, 95 come within 10% of its ceiling', (_, server) => {
  const truth = ceilingPerSecond(server, limitMs);
  const found = Array.from({ length: 100 }, (__, seed) => {
    const { next } = seededRandom(seed, 'capacity');
    return search((rate) => simulateCapacityTrial(server, rate, limitMs, next));
  });
  const near = found.filter(({ result }) => Math.abs(rateOf(result) / truth - 1) <= 0.1);
  const covering = found.filter(
    ({ result }) =>
      result.kind === 'found' && result.interval.lowPerSecond <= truth && truth <= result.interval.highPerSecond,
  );
  const counts = found.map(({ trials }) => trials.length).sort((one, other) => one - other);
  expect(near.length).toBeGreaterThanOrEqual(95);
  expect(covering.length).toBeGreaterThanOrEqual(90);
  expect(counts.at(50)).toBeLessThanOrEqual(35);
  expect(counts.at(-1)).toBeLessThanOrEqual(60);
});

test('without noise the bracket holds the ceiling, as narrow as was asked, in few trials', () => {
  for (const ceiling of [10.5, 33, 470, 1000, 19_000]) {
    const { result, trials } = search(outcomeAt((rate) => (rate <= ceiling ? 'held' : 'broke')));
    if (result.kind !== 'found') throw new Error(result.kind);
    expect(result.ratePerSecond).toBeLessThanOrEqual(ceiling);
    expect(result.brokeAtPerSecond).toBeGreaterThan(ceiling);
    expect(result.brokeAtPerSecond / result.ratePerSecond).toBeLessThanOrEqual(1.05);
    expect(result.interval.lowPerSecond).toBeLessThan(ceiling);
    expect(result.interval.highPerSecond).toBeGreaterThan(ceiling);
    expect(trials.length).toBeLessThanOrEqual(26);
  }
});

test('one trial that breaks by accident early costs trials, not the result', () => {
  for (const accident of [1, 3, 5, 7, 9]) {
    let count = 0;
    const { result } = search(outcomeAt((rate) => ((count += 1) !== accident && rate <= 1000 ? 'held' : 'broke')));
    expect(rateOf(result)).toBeGreaterThan(900);
  }
});

test.each<[string, (rate: number) => CapacityTrial['outcome'], CapacityResult]>([
  ['passes everywhere', () => 'held', { kind: 'at-least', ratePerSecond: 500, limit: 'range' }],
  ['holds nothing', () => 'broke', { kind: 'below', ratePerSecond: 10, limit: 'target' }],
  ['the generator cannot reach', () => 'generator', { kind: 'below', ratePerSecond: 10, limit: 'generator' }],
])('a server that %s is not given a capacity', (_, outcome, expected) => {
  const { result, trials } = search(outcomeAt(outcome), { toPerSecond: 500 });
  expect(result).toEqual(expected);
  expect(trials.length).toBeLessThanOrEqual(10);
});

test('where the generator gives up before the server, the capacity is at least what it could send', () => {
  const { result } = search(outcomeAt((rate) => (rate <= 3000 ? 'held' : 'generator')));
  expect(result).toMatchObject({ kind: 'at-least', limit: 'generator' });
  expect(result.ratePerSecond).toBeGreaterThan(2800);
  expect(result.ratePerSecond).toBeLessThanOrEqual(3000);
});

test('whatever the trials say, the search stays in its range and ends', () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 5 }),
      (seed, share, repeats) => {
        const { next } = seededRandom(seed, 'any');
        const { trials } = search(
          outcomeAt(() => (next() < share ? 'held' : next() < 0.7 ? 'broke' : 'generator')),
          { repeats, fromPerSecond: 7, toPerSecond: 900 },
        );
        for (const { ratePerSecond } of trials) {
          expect(ratePerSecond).toBeGreaterThanOrEqual(7);
          expect(ratePerSecond).toBeLessThanOrEqual(900);
        }
      },
    ),
    { numRuns: 200, seed: 1 },
  );
});

test.each([
  [
    'holds and breaks agree',
    [
      [100, 1, 0],
      [200, 3, 0],
      [300, 0, 3],
    ],
    2,
  ],
  [
    'a hold above breaks is an accident',
    [
      [100, 1, 0],
      [200, 0, 3],
      [300, 1, 0],
    ],
    1,
  ],
  [
    'a break below holds is one, too',
    [
      [100, 0, 1],
      [200, 3, 0],
      [300, 0, 3],
    ],
    2,
  ],
  ['nothing held', [[100, 0, 2]], 0],
  ['as many of either', [[100, 2, 2]], 0],
])('the likeliest border: %s', (_, counts, holding) => {
  const tallies = counts.map(([ratePerSecond = 0, held = 0, broke = 0]) => ({
    ratePerSecond,
    held,
    broke,
    generator: 0,
  }));
  expect(passingRates(tallies)).toBe(holding);
});
