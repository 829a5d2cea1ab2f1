import { describe, expect, test } from 'vitest';
import { parseThreshold, type Threshold } from '../profile/threshold.ts';
import { latencyHeadline } from './headline.ts';
import { conclude, type Evidence } from './conclude.ts';
import { createHistogram } from '../measure/histogram.ts';
import { judgeThresholds } from './judge-thresholds.ts';
import type { Measured } from './measured.ts';
import { rateLimitedNotes } from './rate-limited.ts';
import { unservedOperations } from './unserved.ts';
import { countSample, countSent, countUnsent, createMeasurement } from '../measure/measurement.ts';
import { classOf, type Outcome } from '../measure/outcome.ts';

function threshold(text: string): Threshold {
  const parsed = parseThreshold(text);
  if ('problem' in parsed) throw new Error(parsed.problem);
  return parsed;
}

const fitGenerator = {
  verdict: 'fit',
  isShortOfSockets: false,
  isLatencyValid: true,
  isWholeLoad: true,
  loopDelayMs: 0,
} as const;

/** One hundred seconds of listModels: each outcome so many times, each with that latency. */
function measured(
  parts: readonly (readonly [Outcome, number, number, number?])[],
  over: Partial<Measured> = {},
): Measured {
  const measurement = createMeasurement(100_000);
  for (const [outcome, count, latencyMs, serviceMs = latencyMs] of parts) {
    for (let index = 0; index < count; index += 1) {
      countSent(measurement, 'listModels', 0);
      countSample(measurement, { operation: 'listModels', outcome, atMs: 0, latencyMs, serviceMs });
    }
  }
  return {
    operations: measurement.operations,
    steps: measurement.steps,
    measuredMs: 100_000,
    rateLimitedIsError: false,
    isThroughputOnly: false,
    checked: 100,
    warmUp: 0,
    broken: () => 0,
    findings: 0,
    generator: fitGenerator,
    lag: createHistogram(),
    isHeldBack: false,
    ...over,
  };
}

const fast = [[200, 990, 10] as const, [200, 10, 100] as const];

/** The same from a generator that was late by so many milliseconds every time. */
function late(lagMs: number, more: Parameters<typeof measured>[0] = []): Measured {
  const lag = createHistogram();
  lag.recordValueWithCount(lagMs * 1000, 1000);
  return measured([...fast, ...more], { lag, generator: { ...fitGenerator, verdict: 'bottleneck' } });
}

describe('thresholds', () => {
  test.each<readonly [string, Measured, 'held' | 'missed', number]>([
    ['listModels.latency.p50 < 11ms', measured(fast), 'held', 10],
    ['latency.max < 100ms', measured(fast), 'missed', 100],
    ['throughput >= 10/s', measured(fast), 'held', 10],
    ['throughput > 10/s', measured([...fast, [429, 500, 1]]), 'missed', 10],
    [
      'errors.rate < 10%',
      measured([
        [200, 90, 1],
        [500, 5, 1],
        ['reset', 4, 1],
        [404, 1, 1],
      ]),
      'missed',
      0.1,
    ],
    [
      'errors.rate == 0%',
      measured([
        [200, 50, 1],
        [429, 50, 1],
      ]),
      'held',
      0,
    ],
    [
      'errors.rate == 0%',
      measured(
        [
          [200, 50, 1],
          [429, 50, 1],
        ],
        { rateLimitedIsError: true },
      ),
      'missed',
      0.5,
    ],
    [
      'rateLimited.rate < 5%',
      measured([
        [200, 50, 1],
        [429, 50, 1],
      ]),
      'missed',
      0.5,
    ],
    [
      'timeouts.rate > 0%',
      measured([
        [200, 3, 1],
        ['timeout', 1, 900],
      ]),
      'held',
      0.25,
    ],
    [
      'latency.max >= 900ms',
      measured([
        [200, 3, 1],
        ['timeout', 1, 900],
        [500, 1, 5000],
      ]),
      'held',
      900,
    ],
    ['violations == 0', measured(fast, { broken: () => 2 }), 'missed', 2],
  ])('%s', (text, given, verdict, actual) => {
    const [found] = judgeThresholds([threshold(text)], given);
    expect(found).toMatchObject({ text, verdict });
    expect(found?.actual).toBeCloseTo(actual, 0);
  });

  test.each<readonly [string, Measured, string]>([
    ['latency.p99 < 1ms', measured([[200, 99, 10]]), 'p99 needs 100 answers, there were 99'],
    ['sendMessage.errors.rate < 1%', measured(fast), 'no sendMessage was sent'],
    ['violations == 0', measured(fast, { checked: 0 }), 'no answer was checked'],
    ['errors.rate < 1%', measured([[429, 500, 1]]), 'no request succeeded'],
    ['errors.rate < 1%', measured([]), 'no request was answered or given up'],
    [
      'latency.p50 < 1s',
      measured(fast, { generator: { ...fitGenerator, isLatencyValid: false } }),
      'connections closed without notice',
    ],
    ['throughput > 1000/s', measured(fast, { isHeldBack: true }), 'the limits of the target file'],
    [
      'throughput > 1000/s',
      measured(fast, { generator: { ...fitGenerator, verdict: 'bottleneck' } }),
      'the generator was the bottleneck',
    ],
    [
      'latency.p50 < 1s',
      measured(fast, { generator: { ...fitGenerator, isWholeLoad: false } }),
      'the target got less load than the profile asks for',
    ],
    [
      'latency.p99 < 70ms',
      late(20, [[200, 100, 100]]),
      'the generator was up to 40.0 ms late (p99), which may explain it',
    ],
    [
      'service.p99 < 85ms',
      late(20, [[200, 100, 100]]),
      'the generator was up to 20.0 ms late (p99), which may explain it',
    ],
    [
      'latency.p99 > 70ms',
      late(20, [[200, 100, 100]]),
      'the generator was up to 40.0 ms late (p99), which may explain it',
    ],
    [
      'latency.p50 < 9ms',
      measured(fast, { generator: { ...fitGenerator, verdict: 'bottleneck', loopDelayMs: 3 } }),
      'the generator was up to 3.0 ms late (p50)',
    ],
  ])('%s is not judged', (text, given, reason) => {
    expect(judgeThresholds([threshold(text)], given)[0]).toMatchObject({
      verdict: 'unjudged',
      reason: expect.stringContaining(reason),
    });
  });

  test.each<readonly [string, Measured, 'held' | 'missed']>([
    ['latency.p99 < 50ms', late(20, [[200, 100, 100]]), 'missed'],
    ['latency.p99 < 110ms', late(20, [[200, 100, 100]]), 'held'],
    ['service.p99 < 70ms', late(20, [[200, 100, 100]]), 'missed'],
    ['latency.p99 < 99ms', late(4, [[200, 100, 100]]), 'missed'],
    ['errors.rate < 40%', late(5000, [[500, 990, 10]]), 'missed'],
    ['errors.rate < 60%', late(5000, [[500, 990, 10]]), 'held'],
    ['throughput > 5/s', late(20), 'held'],
    ['throughput < 5/s', late(20), 'missed'],
  ])('%s is judged, because the lag of the generator cannot explain it: %#', (text, given, verdict) => {
    expect(judgeThresholds([threshold(text)], given)[0]).toMatchObject({ verdict });
  });

  test('waiting for a socket is held against the target only where its service time alone is too long', () => {
    const generator = { ...fitGenerator, isShortOfSockets: true };
    const verdict = (text: string, serviceMs: number) =>
      judgeThresholds([threshold(text)], measured([[200, 200, 900, serviceMs]], { generator }))[0]?.verdict;
    expect(verdict('latency.p99 < 500ms', 100)).toBe('unjudged');
    expect(verdict('latency.p99 < 500ms', 800)).toBe('missed');
    expect(verdict('latency.p99 < 1s', 100)).toBe('held');
  });

  test('a time that passed in a closed load comes with what it does not show', () => {
    const judged = (text: string) => judgeThresholds([threshold(text)], measured(fast, { isThroughputOnly: true }))[0];
    expect(judged('latency.p50 < 1s')).toMatchObject({
      verdict: 'held',
      reason: expect.stringContaining('closed load'),
    });
    expect(judged('latency.p50 < 1ms')?.reason).toBeUndefined();
    expect(judged('errors.rate < 1%')?.reason).toBeUndefined();
  });

  test('a broken promise is one, however slow the generator was', () => {
    const generator = {
      ...fitGenerator,
      verdict: 'bottleneck',
      isShortOfSockets: true,
      isLatencyValid: false,
    } as const;
    expect(
      judgeThresholds([threshold('violations == 0')], measured(fast, { generator, broken: () => 1 }))[0]?.verdict,
    ).toBe('missed');
  });

  test('what was dropped is a share of what was scheduled', () => {
    const measurement = createMeasurement(1000);
    countSent(measurement, 'sendMessage', 0);
    countSample(measurement, { operation: 'sendMessage', outcome: 409, atMs: 0, latencyMs: 1, serviceMs: 1 });
    countUnsent(measurement, 'sendMessage', 1, 'dropped');
    const given = measured([], { operations: measurement.operations });
    expect(judgeThresholds([threshold('withheld.rate < 50%')], given)[0]).toMatchObject({
      actual: 0.5,
      verdict: 'missed',
    });
    expect(judgeThresholds([threshold('conflicts.rate == 100%')], given)[0]?.verdict).toBe('held');
  });

  test('a conflict is no error, but conflicts alone are no success', () => {
    const measurement = createMeasurement(1000);
    const count = (outcome: Outcome) =>
      countSample(measurement, { operation: 'sendMessage', outcome, atMs: 0, latencyMs: 1, serviceMs: 1 });
    const verdict = () =>
      judgeThresholds([threshold('errors.rate == 0%')], measured([], { operations: measurement.operations }))[0];
    count(409);
    expect(verdict()?.verdict).toBe('unjudged');
    count(200);
    expect(verdict()).toMatchObject({ actual: 0, verdict: 'held' });
  });
});

test.each([
  [404, 'conflict', true],
  [409, 'conflict', true],
  [401, 'refused', false],
  [500, 'failed', false],
] as const)('a deletion that was answered with %d is a %s', (outcome, kind, isServed) => {
  expect(classOf(outcome, 'deleteDataSource')).toBe(kind);
  const { operations } = measurementOf([outcome]);
  expect(unservedOperations(operations)).toHaveLength(isServed ? 0 : 1);
});

test('an operation of which only the warm-up had requests is not unserved, and one whose requests were all dropped is', () => {
  const measurement = createMeasurement(1000);
  countSample(measurement, { operation: 'listModels', outcome: 200, atMs: -5, latencyMs: 10, serviceMs: 10 });
  countUnsent(measurement, 'sendMessage', 1, 'dropped');
  expect([...measurement.operations.keys()]).toEqual(['listModels', 'sendMessage']);
  expect(unservedOperations(measurement.operations)).toEqual([{ operation: 'sendMessage', endings: ['dropped: 1'] }]);
});

test('a note says that figures describe the rate limiter if over 5% of the requests were refused with 429', () => {
  const notesOf = (limited: number) =>
    rateLimitedNotes(
      measured([
        [200, 100 - limited, 10],
        [429, limited, 10],
      ]).operations,
    );
  expect(notesOf(5)).toEqual([]);
  expect(notesOf(6)).toEqual([expect.stringMatching(/^6% of the requests were refused with 429: /)]);
});

function measurementOf(outcomes: readonly Outcome[]) {
  const measurement = createMeasurement(1000);
  for (const outcome of outcomes)
    countSample(measurement, { operation: 'deleteDataSource', outcome, atMs: 0, latencyMs: 1, serviceMs: 1 });
  return measurement;
}

describe('a threshold that late requests may have failed', () => {
  const slow = measured([
    [200, 45, 10],
    [200, 5, 450],
  ]);
  const lag = (lateMs: number) => {
    const histogram = createHistogram();
    histogram.recordValueWithCount(300, 45);
    histogram.recordValueWithCount(lateMs * 1000, 5);
    return histogram;
  };

  test.each([
    [400, 'unjudged'],
    [90, 'missed'],
    [1, 'missed'],
  ])('by %i ms: %s', (lateMs, verdict) => {
    const [judged] = judgeThresholds([threshold('latency.p95 < 250ms')], { ...slow, lag: lag(lateMs) });
    expect(judged).toMatchObject({ verdict });
    if (verdict === 'unjudged') expect(judged?.reason).toMatch(/^the generator was up to 800\.\d ms late \(p95\)/);
  });
});

describe('the conclusion', () => {
  const profile = { headline: latencyHeadline, thresholds: [threshold('latency.p99 < 50ms')] };
  const evidence = {
    measured: measured(fast),
    ending: { kind: 'completed' },
    causes: [],
    facts: [],
  } as const;

  test.each([
    [
      'held',
      { ...evidence, measured: measured([[200, 1000, 10]]) },
      'p99 10.0 ms at 10 req/s, zero violations in 100 answers checked.',
    ],
    [
      'missed',
      { ...evidence, measured: measured([[200, 1000, 100]]) },
      'Failed latency.p99 < 50ms: p99 100 ms at 10 req/s, zero violations in 100 answers checked.',
    ],
    [
      'missed',
      {
        ...evidence,
        measured: measured([[200, 1000, 10]]),
        facts: ['y', 'z'].map((value) => ({ name: 'x', value, verdict: 'bad' as const })),
      },
      'Failed x: ',
    ],
    [
      'unjudged',
      {
        ...evidence,
        measured: measured([[200, 1000, 10]]),
        facts: [{ name: 'x', value: 'none was met', verdict: 'unclear' as const }],
      },
      'No verdict: p99',
    ],
    ['unjudged', { ...evidence, measured: measured([[200, 9, 10]]) }, 'No verdict on latency.p99 < 50ms: '],
    [
      'unjudged',
      {
        ...evidence,
        measured: measured([
          [429, 1500, 10],
          ['reset', 2, 10],
        ]),
      },
      'No verdict, because no request of listModels (429: 1,500, reset: 2) succeeded: nothing succeeded, 429 for 1,500 of 1,502 requests (100%), zero violations',
    ],
    [
      'unjudged',
      { ...evidence, measured: measured([[409, 1000, 10]]), causes: ['bottleneck'] as const },
      'No verdict, because no request of listModels (409: 1,000) succeeded: ',
    ],
    [
      'unjudged',
      {
        ...evidence,
        measured: measured([
          [500, 9, 10],
          ['timeout', 200, 100],
        ]),
      },
      'No verdict, because no request of listModels (timeout: 200, 500: 9) succeeded; failed latency.p99 < 50ms: ',
    ],
    [
      'missed',
      {
        ...evidence,
        measured: measured([[404, 9, 10]]),
        facts: [{ name: 'one response at a time', value: 'no', verdict: 'bad' as const }],
      },
      'Failed one response at a time, and no request of listModels (404: 9) succeeded: ',
    ],
    [
      'aborted',
      {
        ...evidence,
        measured: measured([[500, 80, 10]]),
        ending: { kind: 'aborted' as const, by: 'errors.rate > 50%' },
      },
      'Ended early, because errors.rate > 50%, and no request of listModels (500: 80) succeeded: ',
    ],
    [
      'held',
      {
        ...evidence,
        measured: measured([[200, 1000, 10]]),
        mustServe: ['listModels'] as const,
      },
      'p99 10.0 ms at 10 req/s',
    ],
    [
      'held',
      {
        ...evidence,
        measured: measured([
          [200, 1000, 10],
          [429, 2000, 1],
        ]),
      },
      'p99 10.0 ms at 10 req/s, 429 for 2,000 of 3,000 requests (67%), zero violations',
    ],
    ['interrupted', { ...evidence, ending: { kind: 'interrupted' as const } }, 'Interrupted: p99'],
    [
      'interrupted',
      { ...evidence, measured: measured([]), ending: { kind: 'interrupted' as const } },
      'Interrupted: nothing was measured, ',
    ],
    [
      'aborted',
      { ...evidence, ending: { kind: 'aborted' as const, by: 'errors.rate > 50%' } },
      'Ended early, because errors.rate > 50%: ',
    ],
  ])('%s', (result, given, sentence) => {
    const conclusion = conclude(profile, given);
    expect(conclusion.result).toBe(result);
    expect(conclusion.endedBy).toBe(result === 'aborted' ? 'errors.rate > 50%' : undefined);
    expect(conclusion.sentence).toContain(sentence);
  });

  test('a load without thresholds passes, but says that nothing was judged', () => {
    const asked = { headline: latencyHeadline, thresholds: [] };
    const judgedFact = { facts: [{ name: 'x', value: 'y', verdict: 'good' as const }] };
    const nothing = 'No thresholds: the load only checked that each operation was served: p99 10.0 ms at 10 req/s, ';
    const given = { ...evidence, measured: measured([[200, 1000, 10]]) };
    expect(conclude(asked, given)).toMatchObject({ result: 'held', sentence: expect.stringContaining(nothing) });
    expect(conclude(asked, { ...given, ...judgedFact }).sentence).toMatch(/^p99/);
    expect(conclude(asked, { ...given, measured: measured([[429, 9, 10]]) }).result).toBe('unjudged');
  });

  test('an answer that breaks a requirement counts although an operation was never served, and the sentence names both', () => {
    const asked = { headline: latencyHeadline, thresholds: ['errors.rate < 1%', 'violations == 0'].map(threshold) };
    const conclusion = (broken: number) =>
      conclude(asked, { ...evidence, measured: measured([[404, 9, 10]], { broken: () => broken }) });
    const unserved = 'no request of listModels (404: 9) succeeded';
    expect(conclusion(1)).toMatchObject({
      result: 'missed',
      unserved: ['listModels'],
      sentence: expect.stringContaining(`Failed errors.rate < 1%, violations == 0, and ${unserved}: `),
    });
    expect(conclusion(0)).toMatchObject({
      result: 'unjudged',
      sentence: expect.stringContaining(`No verdict, because ${unserved}; failed errors.rate < 1%: `),
    });
  });

  describe('when the generator was the bottleneck', () => {
    const generator = { ...fitGenerator, verdict: 'bottleneck' } as const;
    const spoilt = {
      ...evidence,
      measured: measured([[200, 99, 10]], { generator }),
      causes: ['bottleneck'] as const,
    };
    const noVerdict = 'No verdict, the generator was the bottleneck: ';

    test.each<readonly [string, readonly string[], Partial<Evidence>]>([
      ['without a threshold', [], {}],
      ['if a threshold is not judged', ['violations == 0', 'latency.p99 < 1s'], {}],
      ['if there is a fact', ['violations == 0'], { facts: [{ name: 'x', value: 'y', verdict: 'good' }] }],
      [
        'if the target got less load than asked',
        ['violations == 0'],
        { measured: measured(fast, { generator: { ...generator, isWholeLoad: false } }) },
      ],
    ])('there is no verdict %s', (_name, texts, given) => {
      const asked = { headline: latencyHeadline, thresholds: texts.map(threshold) };
      expect(conclude(asked, { ...spoilt, ...given })).toMatchObject({
        result: 'unjudged',
        sentence: expect.stringContaining(noVerdict),
      });
    });

    test('thresholds that do not depend on it are judged, and the sentence warns of the times', () => {
      const thresholds = ['violations == 0', 'errors.rate < 1%'].map(threshold);
      expect(conclude({ headline: latencyHeadline, thresholds }, spoilt)).toMatchObject({
        result: 'held',
        sentence: expect.stringMatching(/^The generator was the bottleneck, so the times may be its own: /),
      });
    });
  });
});
