import { expect, test } from 'vitest';
import { seededRandom } from '../../reference/random.ts';
import { changePoint, criticalScore } from './statistics/change-point.ts';
import { figures, perFigure } from './render/figure.ts';
import type { HistoryRun } from './history.ts';
import { memoryFactor } from './statistics/memory.ts';
import { renderTrend, trendSentence } from './render/render-trend.ts';
import { normal } from '../../testing/simulated/trials.ts';
import { theilSen } from './statistics/theil-sen.ts';
import { fewestRuns, runToRunOf, trend } from './trend.ts';

/** How much each figure varies from run to run: as measured, of runs of five seconds. */
const noise = { p50: 0.06, p90: 0.07, p95: 0.09, p99: 0.5, throughput: 0.01 };

/** A history in which latencies are `factorAt(run)` times what they were, and throughput that much less. */
function historyOf(length: number, seed: number, factorAt: (run: number) => number, memory = 0): readonly HistoryRun[] {
  const { next } = seededRandom(seed, 'history');
  const states = new Map(figures.map((figure) => [figure, normal(next)]));
  return Array.from({ length }, (_, run) => ({
    format: 'awc-history/1',
    series: 'Staging steady',
    build: `build-${run}`,
    at: '2026-11-02T10:00:00Z',
    figures: perFigure((figure) => {
      const state = memory * (states.get(figure) ?? 0) + Math.sqrt(1 - memory ** 2) * normal(next);
      states.set(figure, state);
      const level = figure === 'throughput' ? 500 / factorAt(run) : 5000 * factorAt(run);
      return level * Math.exp(noise[figure] * state);
    }),
  }));
}

function judged(runs: readonly HistoryRun[], seed = 1) {
  return new Map(trend(runs, seededRandom(seed, 'trend').next).map((each) => [each.figure, each]));
}

test.each([
  [12, 0, 2],
  [30, 0, 2],
  [30, 0.3, 5],
])(
  'of 50 histories of %i runs where nothing happened, memory %d, %i show something at most',
  (length, memory, most) => {
    const shown = Array.from({ length: 50 }, (_, seed) =>
      judged(
        historyOf(length, seed, () => 1, memory),
        seed,
      ),
    );
    expect(
      shown.filter((each) => [...each.values()].some(({ direction }) => direction !== 'none')).length,
    ).toBeLessThanOrEqual(most);
  },
);

test('a build that made p50 15% worse is named, or its neighbour', () => {
  const found = Array.from({ length: 20 }, (_, seed) =>
    judged(
      historyOf(50, seed, (run) => (run >= 30 ? 1.15 : 1)),
      seed,
    ).get('p50'),
  );
  const near = found.filter(
    (each) => each?.movement.kind === 'step' && Math.abs(each.movement.at - 30) <= 2 && each.direction === 'worse',
  );
  expect(near.length).toBeGreaterThanOrEqual(17);
});

test('a step among the latest five runs shows, when it is as large as was said', () => {
  const seeds = Array.from({ length: 25 }, (_, seed) => seed);
  const shown = seeds.filter((seed) => {
    const before = judged(historyOf(35, seed, () => 1)).get('p50');
    const factor = before?.movement.kind === 'steady' ? 1 + before.movement.detectable : NaN;
    const after = judged(historyOf(40, seed, (run) => (run >= 35 ? factor : 1))).get('p50');
    return after?.direction === 'worse';
  });
  expect(shown.length).toBeGreaterThanOrEqual(22);
});

test('a slow drift is called one, and a gain is called better', () => {
  const drifting = judged(historyOf(60, 4, (run) => 1.01 ** run));
  expect(drifting.get('p50')).toMatchObject({ movement: { kind: 'drift' }, direction: 'worse' });
  expect(drifting.get('throughput')).toMatchObject({ movement: { kind: 'drift' }, direction: 'worse' });
  const gaining = judged(historyOf(40, 5, (run) => (run >= 20 ? 0.7 : 1)));
  expect(gaining.get('p95')).toMatchObject({ movement: { kind: 'step', at: 20 }, direction: 'better' });
});

test('of two steps the latest is reported', () => {
  const twice = judged(historyOf(90, 6, (run) => (run >= 60 ? 1.7 : run >= 30 ? 1.3 : 1)));
  expect(twice.get('p50')).toMatchObject({ movement: { kind: 'step', at: 60 }, direction: 'worse' });
});

test('one odd run is no step, wherever it is', () => {
  for (const odd of [0, 20, 38, 39]) {
    const each = judged(historyOf(40, 7, (run) => (run === odd ? 5 : 1))).get('p50');
    expect(each?.direction).toBe('none');
  }
});

test('runs that are all the same have no trend, and few runs have none', () => {
  const [run] = historyOf(1, 8, () => 1);
  if (run === undefined) throw new Error('a run was made');
  expect([...judged(Array<HistoryRun>(30).fill(run)).values()].map(({ direction }) => direction)).toEqual(
    Array(5).fill('none'),
  );
  const few = trend(
    historyOf(fewestRuns - 1, 9, () => 1),
    seededRandom(1, 'few').next,
  );
  expect(few.map(({ movement }) => movement.kind)).toEqual(Array(5).fill('too-few'));
  expect(runToRunOf(few)).toBeUndefined();
});

test('how runs vary is known from the history, steps left out', () => {
  const spreads = runToRunOf(
    trend(
      historyOf(80, 10, (run) => (run >= 40 ? 1.5 : 1)),
      seededRandom(1, 'noise').next,
    ),
  );
  expect(spreads?.p50.log).toBeGreaterThan(0.045);
  expect(spreads?.p50.log).toBeLessThan(0.075);
});

test('a change point lies where the level changed, and its score must exceed that of shuffled values', () => {
  const values = [1, 2, 1, 2, 1, 2, 8, 9, 8, 9, 8, 9];
  const { at, score } = changePoint(values);
  expect(at).toBe(6);
  expect(score).toBeGreaterThan(criticalScore(values, 0.01, seededRandom(1, 'score').next));
  expect(changePoint([5, 5, 5, 5, 5, 5, 5]).score).toBe(0);
});

test('a Theil–Sen line passes odd values by', () => {
  const values = Array.from({ length: 21 }, (_, index) => (index % 6 === 3 ? 1000 : 10 + 2 * index));
  const { slope, start, score } = theilSen(values);
  expect(slope).toBeCloseTo(2, 6);
  expect(start).toBeCloseTo(10, 6);
  expect(score).toBeGreaterThan(3);
  expect(theilSen([4, 4, 4, 4]).score).toBe(0);
});

test('values that resemble their neighbours know less than they seem to', () => {
  const { next } = seededRandom(1, 'memory');
  let value = 0;
  const independent = Array.from({ length: 400 }, () => normal(next));
  const remembering = Array.from({ length: 400 }, () => (value = 0.5 * value + normal(next)));
  expect(memoryFactor(independent)).toBeLessThan(1.15);
  expect(memoryFactor(remembering)).toBeGreaterThan(1.5);
  expect(memoryFactor([1, 1, 1])).toBe(1);
});

test('each movement is said with what it rests on', () => {
  const runs = historyOf(40, 1, () => 1);
  const shared = { latest: 5000, runToRun: { log: 0.06, degrees: 30 } } as const;
  const sentences = [
    trendSentence(
      {
        ...shared,
        figure: 'p95',
        direction: 'worse',
        movement: { kind: 'step', at: 30, ratio: 1.18, low: 1.12, high: 1.24 },
      },
      runs,
    ),
    trendSentence(
      { ...shared, figure: 'p50', direction: 'better', movement: { kind: 'drift', ratioPerRun: 0.995, ratio: 0.82 } },
      runs,
    ),
    trendSentence({ ...shared, figure: 'p99', direction: 'none', movement: { kind: 'steady', detectable: 0.4 } }, runs),
    trendSentence({ ...shared, figure: 'p90', direction: 'none', movement: { kind: 'too-few' } }, runs),
  ];
  expect(sentences).toEqual([
    'p95 became worse with build-30 (2026-11-02T10:00:00Z): 18% more (12% to 24% more with 95% confidence).',
    'p50 is getting better: 0.5% less a run, 18% less so far.',
    'p99 shows no trend: it varies by 6% from run to run, and a step of 40% would have shown within five runs.',
    'It takes 10 runs to see a trend.',
  ]);
  const lines = renderTrend([{ ...shared, figure: 'p50', direction: 'none', movement: { kind: 'too-few' } }], runs);
  expect(lines).toEqual([
    '40 runs of Staging steady.',
    '',
    '     latest  run to run  trend',
    'p50    5 ms          6%  cannot tell',
    '',
    'It takes 10 runs to see a trend.',
  ]);
});

test('a history obeys no terminal', () => {
  const figures = { p50: 1, p90: 1, p95: 1, p99: 1, throughput: 1 };
  const at = '2026-11-02T10:00:00Z';
  const run: HistoryRun = { format: 'awc-history/1', series: 'Staging\u001b[31m', build: '\u202e1.0', at, figures };
  const step = { kind: 'step', at: 0, ratio: 1.2, low: 1.1, high: 1.3 } as const;
  const trend = { figure: 'p50', latest: 1, movement: step, direction: 'worse', runToRun: undefined } as const;
  expect(renderTrend([trend], [run]).join('\n')).not.toMatch(/[\u001b\u202e]/);
});
