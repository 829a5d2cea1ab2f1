import { expect, test } from 'vitest';
import { seededRandom } from '../../reference/random.ts';
import { compare } from './compare.ts';
import { overall } from './comparison.ts';
import { type Figure, figures, perFigure } from './render/figure.ts';
import {
  countLatencies,
  measuredNoise,
  type SimulatedBuild,
  simulateRounds,
  simulateTrial,
  slower,
} from '../../testing/simulated/trials.ts';
import type { Round, Trial } from './trial.ts';

const schedule = { ratePerSecond: 500, seconds: 5 };
const tamed: SimulatedBuild = { ...measuredNoise, trialLogSpread: 0.018, tailLogSpread: 0.02, stallsPerSecond: 0.1 };
const margin = 0.05;

const stocks = new Map<SimulatedBuild, readonly Trial[]>();

/** Trials that comparisons draw from: simulating each comparison afresh would take a minute. */
function stockOf(build: SimulatedBuild): readonly Trial[] {
  const { next } = seededRandom(stocks.size, 'stock');
  const stock = stocks.get(build) ?? Array.from({ length: 80 }, () => simulateTrial(build, schedule, next));
  stocks.set(build, stock);
  return stock;
}

/** Compares two builds over and over, and gives what each comparison said of each figure. */
function comparisons(
  [a, b]: readonly [SimulatedBuild, SimulatedBuild],
  { rounds, times, seed }: { rounds: number; times: number; seed: number },
) {
  const { next } = seededRandom(seed, 'comparisons');
  const draw = (stock: readonly Trial[]): Trial => stock[Math.floor(next() * stock.length)] ?? { blocks: [] };
  return Array.from({ length: times }, () => {
    const drawn: Round[] = Array.from({ length: rounds }, () => ({ a: draw(stockOf(a)), b: draw(stockOf(b)) }));
    const { figures } = compare({ kind: 'interleaved', rounds: drawn }, { margin, random: next });
    return new Map(figures.map(({ figure, verdict }) => [figure, verdict.kind]));
  });
}

function countWorse(results: readonly ReadonlyMap<Figure, string>[], ...figures: readonly Figure[]): number {
  return results.filter((result) => figures.every((figure) => result.get(figure) === 'worse')).length;
}

test.each([
  ['as harsh as measured', measuredNoise, 4],
  ['as harsh as measured', measuredNoise, 16],
  ['milder', tamed, 8],
])('of 100 comparisons of a build with itself, noise %s, 5 are called different at most (%#)', (_, build, rounds) => {
  const results = comparisons([build, build], { rounds, times: 100, seed: rounds });
  const different = results.filter((result) =>
    [...result.values()].some((kind) => kind === 'better' || kind === 'worse'),
  );
  expect(different.length).toBeLessThanOrEqual(5);
});

test.each([
  ['as harsh as measured', measuredNoise, 16],
  ['milder', tamed, 8],
])('of 100 comparisons, noise %s, 95 call a planted 15% at p50 and 20% at p95', (_, build, rounds) => {
  const results = comparisons([build, slower(build, 1.15, 1.2)], { rounds, times: 100, seed: rounds });
  expect(countWorse(results, 'p50', 'p95')).toBeGreaterThanOrEqual(95);
});

test.each([
  ['an equal build', tamed, 4],
  ['a build that is a little worse', slower(tamed, 1.03, 1.03), 8],
])('the shown interval decides each verdict: %s', (_, build, rounds) => {
  const { next } = seededRandom(rounds, 'ends');
  for (let time = 0; time < 12; time += 1) {
    const trials = { kind: 'interleaved', rounds: simulateRounds([tamed, build], rounds, schedule, next) } as const;
    for (const { figure, verdict, basis } of compare(trials, { margin, random: next }).figures) {
      const { low, high } = basis?.interval ?? { low: NaN, high: NaN };
      const loss = figure === 'throughput' ? { low: 1 / high, high: 1 / low } : { low, high };
      const decided =
        loss.high < 1 ? 'better' : loss.high <= 1 + margin ? 'no-worse' : loss.low > 1 ? 'worse' : 'cannot-tell';
      expect(verdict.kind, `${figure}: ${low} to ${high}`).toBe(decided);
    }
  }
});

test('a build that is worse by twice the margin is hardly ever called no worse than it', () => {
  const results = comparisons([tamed, slower(tamed, 1.1, 1.1)], { rounds: 8, times: 40, seed: 5 });
  expect(results.filter((result) => result.get('p50') === 'no-worse')).toEqual([]);
});

test('an equal build is called no worse, as often as the comparison says', () => {
  const { next } = seededRandom(11, 'power');
  const rounds = simulateRounds([tamed, tamed], 24, schedule, next);
  const [p50] = compare({ kind: 'interleaved', rounds }, { margin, random: next }).figures;
  const results = comparisons([tamed, tamed], { rounds: 24, times: 40, seed: 12 });
  expect(p50?.basis?.power).toBeGreaterThan(0.9);
  expect(results.filter((result) => result.get('p50') === 'no-worse').length).toBeGreaterThan(33);
});

test('the noise floor names the change that is called, and what a round less or more would do', () => {
  const { next } = seededRandom(2, 'floor');
  const few = compare(
    { kind: 'interleaved', rounds: simulateRounds([measuredNoise, measuredNoise], 8, schedule, next) },
    { margin, random: next },
  );
  const floors = new Map(few.figures.map(({ figure, basis }) => [figure, basis?.detectable ?? 0]));
  // With 8 rounds and trials that vary by 6%: 6% × √(2/8) × (3.9 + 1.8).
  expect(floors.get('p50')).toBeGreaterThan(0.1);
  expect(floors.get('p50')).toBeLessThan(0.25);
  expect(floors.get('p99')).toBeGreaterThan(0.5);
  expect(few.figures[0]?.basis?.roundsToTell).toBeGreaterThan(15);
});

test('drift of the machine during an interleaved comparison makes no build worse', () => {
  const { next } = seededRandom(3, 'drift');
  const drifting = (index: number): SimulatedBuild => ({ ...tamed, medianUs: 5000 * 1.03 ** index });
  const rounds = Array.from({ length: 10 }, (_, round): Round => {
    const [first, second] = [2 * round, 2 * round + 1].map((at) => simulateTrial(drifting(at), schedule, next));
    if (first === undefined || second === undefined) throw new Error('two trials make a round');
    return round % 2 === 0 ? { a: first, b: second } : { a: second, b: first };
  });
  const comparison = compare({ kind: 'interleaved', rounds }, { margin, random: next });
  expect(comparison.figures.map(({ verdict }) => verdict.kind)).not.toContain('worse');
  expect(comparison.figures.map(({ verdict }) => verdict.kind)).not.toContain('better');
});

test('a build that answers nothing useful is worse in throughput', () => {
  const { next } = seededRandom(4, 'nothing');
  const rounds = simulateRounds([tamed, tamed], 5, schedule, next).map(({ a, b }) => ({
    a,
    b: { blocks: b.blocks.map((block) => ({ ...block, answers: 0 })) },
  }));
  const comparison = compare({ kind: 'interleaved', rounds }, { margin, random: next });
  expect(comparison.figures.at(-1)?.verdict.kind).toBe('worse');
  expect(overall(comparison, figures)).toBe('worse');
});

test('trials that all fell on one step of the clock make a step of one microsecond no certainty', () => {
  const { next } = seededRandom(5, 'steps');
  const constant = (us: number): Trial => ({
    blocks: [{ latency: countLatencies(Array<number>(2000).fill(us)), answers: 2000, durationMs: 1000 }],
  });
  const rounds = Array.from({ length: 6 }, () => ({ a: constant(9), b: constant(10) }));
  const [p50] = compare({ kind: 'interleaved', rounds }, { margin, random: next }).figures;
  expect(p50?.verdict.kind).toBe('cannot-tell');
});

test.each([
  ['3 rounds', 3, 5, 'it takes 4 rounds to see how trials vary'],
  ['a handful of answers', 6, 0.02, 'answers are too few'],
])('%s carry no verdict, and say why', (_, count, seconds, reason) => {
  const { next } = seededRandom(6, 'few');
  const short = { ratePerSecond: 500 * (seconds < 1 ? seconds : 1), seconds: Math.ceil(seconds) };
  const rounds = simulateRounds([tamed, tamed], count, short, next);
  const p99 = compare({ kind: 'interleaved', rounds }, { margin, random: next }).figures[3];
  expect(p99?.verdict).toMatchObject({ kind: 'cannot-tell', reason: expect.stringContaining(reason) });
  expect(p99?.basis).toBeUndefined();
});

test('one run of each build carries no verdict by itself, and one with a history', () => {
  const { next } = seededRandom(7, 'single');
  const minute = { ratePerSecond: 200, seconds: 60 };
  const quiet = { ...tamed, trialLogSpread: 0.02 };
  const a = [simulateTrial(quiet, minute, next)];
  const b = [simulateTrial(slower(quiet, 1.3, 1.3), minute, next)];
  const alone = compare({ kind: 'separate', a, b }, { margin, random: next });
  expect(alone.unit).toBe('stretch');
  expect(alone.figures.map(({ verdict }) => verdict.kind)).toEqual(Array(5).fill('cannot-tell'));
  const runToRun = perFigure(() => ({ log: 0.02, degrees: 15 }));
  const [p50] = compare({ kind: 'separate', a, b }, { margin, random: next, runToRun }).figures;
  expect(p50?.verdict.kind).toBe('worse');
});

test('trials measured apart are compared with both their noises', () => {
  const { next } = seededRandom(8, 'apart');
  const trials = (build: SimulatedBuild, count: number) =>
    Array.from({ length: count }, () => simulateTrial(build, schedule, next));
  const equal = compare({ kind: 'separate', a: trials(tamed, 10), b: trials(tamed, 8) }, { margin, random: next });
  expect(equal.unit).toBe('trial');
  expect(overall(equal, figures)).not.toBe('worse');
  const b = trials(slower(tamed, 1.2, 1.2), 8);
  expect(overall(compare({ kind: 'separate', a: trials(tamed, 10), b }, { margin, random: next }), figures)).toBe(
    'worse',
  );
});

test('the same trials and seed give the same comparison', () => {
  const rounds = simulateRounds([tamed, tamed], 5, schedule, seededRandom(9, 'same').next);
  const again = () => compare({ kind: 'interleaved', rounds }, { margin, random: seededRandom(1, 'draws').next });
  expect(again()).toEqual(again());
});

test('a build without latencies cannot be compared', () => {
  expect(() => compare({ kind: 'separate', a: [], b: [] }, { margin, random: () => 0 })).toThrow(RangeError);
});
