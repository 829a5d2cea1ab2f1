import { expect, test } from 'vitest';
import type { CapacityRecord } from '../../../reports/load/capacity-record.ts';
import type { CapacityTrial } from './tally.ts';
import { type CapacityResult, soFar } from './next-trial.ts';
import { capacitySentence, renderCapacity } from './render-capacity.ts';

function trialsAt(...rates: readonly number[]): CapacityTrial[] {
  return rates.map((ratePerSecond) => {
    const p95Ms = ratePerSecond < 500 ? 10 + ratePerSecond / 100 : 400;
    const outcome = ratePerSecond < 500 ? 'held' : 'broke';
    const p50Ms = p95Ms / 4;
    return { ratePerSecond, outcome, throughputPerSecond: ratePerSecond * 0.99, p50Ms, p95Ms, p99Ms: 2 * p95Ms };
  });
}

test.each<[CapacityRecord['result'], string]>([
  [
    { kind: 'unfinished', passedPerSecond: 946, failedPerSecond: 989 },
    'The search is not over: 946/s passed, 989/s did not, after 20 trials.',
  ],
  [{ kind: 'unfinished', passedPerSecond: 946 }, 'The search is not over: 946/s passed, after 20 trials.'],
  [{ kind: 'unfinished' }, 'The search is not over: no rate was tried to the end, after 20 trials.'],
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
    'The capacity is at least 5000/s: the profile allows no higher rate, after 20 trials.',
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
  expect(capacitySentence({ trials: trialsAt(...Array.from({ length: 20 }, () => 100)), result })).toBe(expected);
});

test.each<[readonly (readonly [number, CapacityTrial['outcome']])[], CapacityRecord['result']]>([
  [[], { kind: 'unfinished' }],
  [[[10, 'broke']], { kind: 'unfinished', failedPerSecond: 10 }],
  [
    [
      [10, 'held'],
      [20, 'held'],
      [40, 'broke'],
    ],
    { kind: 'unfinished', passedPerSecond: 20, failedPerSecond: 40 },
  ],
])('a search in progress knows the rates between which it goes on (%#)', (outcomes, expected) => {
  const times = { throughputPerSecond: 1, p50Ms: 1, p95Ms: 1, p99Ms: 1 };
  expect(soFar(outcomes.map(([ratePerSecond, outcome]) => ({ ratePerSecond, outcome, ...times })))).toEqual(expected);
});

test('the curve is a table that marks the knee', () => {
  const trials = trialsAt(100, 200, 300, 400, 500);
  expect(renderCapacity({ trials, result: { kind: 'at-least', ratePerSecond: 500, limit: 'range' } })).toEqual([
    'The capacity is at least 500/s: the profile allows no higher rate, after 5 trials.',
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

test('trials that do not count are in the table, and correctness has a column of its own', () => {
  const [one, two, three] = trialsAt(100, 200, 500);
  if (one === undefined || two === undefined || three === undefined) throw new Error('a trial is missing');
  const trials = [one, { ...two, broke: ['models.shape'] }, two, { ...two, outcome: 'generator' as const }, three];
  const lines = renderCapacity({ trials, result: { kind: 'at-least', ratePerSecond: 100, limit: 'range' } });
  expect(lines.slice(2, 7)).toEqual([
    'rate   answers      p50     p95     p99  passed  correct',
    '100/s      99%  2.75 ms   11 ms   22 ms  1 of 1  1 of 1',
    '200/s      99%     3 ms   12 ms   24 ms  2 of 2  1 of 2',
    '200/s      99%     3 ms   12 ms   24 ms       –  1 excluded: the generator could not keep the rate',
    '500/s      99%   100 ms  400 ms  800 ms  0 of 1  1 of 1',
  ]);
});

const found = (ratePerSecond: number, brokeAtPerSecond: number): CapacityResult => ({
  kind: 'found',
  ratePerSecond,
  brokeAtPerSecond,
  interval: { lowPerSecond: ratePerSecond, highPerSecond: brokeAtPerSecond },
});
const below = (ratePerSecond: number): CapacityResult => ({ kind: 'below', ratePerSecond, limit: 'target' });

test('it says what failed at the lowest rate that did not pass', () => {
  const trial = (ratePerSecond: number, failed: string[]): CapacityTrial => {
    const times = { throughputPerSecond: ratePerSecond, p50Ms: 1, p95Ms: 2, p99Ms: 3 };
    return { ratePerSecond, outcome: failed.length === 0 ? 'held' : 'broke', ...times, failed };
  };
  const trials = [
    trial(100, []),
    trial(200, ['a < 1%']),
    trial(200, ['latency.p95 < 1ms', 'a < 1%']),
    trial(400, ['b']),
  ];
  const line = (capacity: Omit<CapacityRecord, 'trials'>) =>
    renderCapacity({ trials, ...capacity }).filter((text) => text.startsWith('Failed'));
  const expected = ['Failed at 200/s: a < 1% (2 of 2 trials), latency.p95 < 1ms (1 of 2 trials).'];
  expect(line({ result: found(100, 200) })).toEqual(expected);
  expect(line({ result: below(200) })).toEqual(expected);
  expect(line({ result: { kind: 'unfinished', passedPerSecond: 100, failedPerSecond: 200 } })).toEqual(expected);
  expect(line({ result: found(100, 150), thresholds: found(100, 200) })).toEqual(expected);
  expect(line({ result: { kind: 'at-least', ratePerSecond: 400, limit: 'range' } })).toEqual([]);
});

test.each<[CapacityResult, CapacityResult, number, string]>([
  [
    found(180, 190),
    found(240, 250),
    190,
    'Correct up to 180/s: above it, idempotency.after breaks (first at 190/s); thresholds hold up to 240/s, after 2 trials.',
  ],
  [
    found(180, 190),
    { kind: 'at-least', ratePerSecond: 400, limit: 'range' },
    190,
    'Correct up to 180/s: above it, idempotency.after breaks (first at 190/s); thresholds hold up to at least 400/s, after 2 trials.',
  ],
  [
    found(180, 190),
    found(180, 190),
    360,
    'Correct up to 180/s: above it, thresholds fail, and idempotency.after breaks (first at 360/s), after 2 trials.',
  ],
  [
    below(10),
    found(240, 250),
    10,
    'Not correct at 10/s, the lowest rate tried: idempotency.after breaks; thresholds hold up to 240/s, after 2 trials.',
  ],
  [
    below(10),
    below(10),
    20,
    'The capacity is below 10/s, the lowest rate tried, and idempotency.after breaks (first at 20/s), after 2 trials.',
  ],
])('what broke first is named beside the thresholds (%#)', (result, thresholds, ratePerSecond, expected) => {
  const proof = { expected: 'the messages a', actual: 'b', exchanges: [] };
  const broke = { requirement: 'idempotency.after', sentence: 'Repeating a request.', ratePerSecond, proof };
  const capacity = { trials: trialsAt(100, 200), result, thresholds, broke };
  expect(capacitySentence(capacity)).toBe(expected);
  expect(renderCapacity(capacity).slice(-3)).toEqual([
    `idempotency.after broke first, at ${ratePerSecond}/s: Repeating a request.`,
    '  expected the messages a',
    '  actual   b',
  ]);
});

const refused = 'conflict.refused';
const after = 'idempotency.after';
const [longer, slower] = ['use longer trials', 'use longer trials, or a slower prompt'];

test.each<[Omit<CapacityRecord, 'trials'>, string]>([
  [
    {
      result: { kind: 'unjudged' },
      thresholds: { kind: 'at-least', ratePerSecond: 120, limit: 'range' },
      unjudged: [
        { requirement: after, remedy: longer },
        { requirement: refused, remedy: slower },
        { requirement: 'attach.count', keptAtPerSecond: 80, remedy: longer },
      ],
    },
    'No verdict: no trial showed that idempotency.after, conflict.refused are kept; thresholds hold up to at least 120/s, after 2 trials. Use longer trials. Use longer trials, or a slower prompt.',
  ],
  [
    {
      result: { kind: 'unjudged' },
      thresholds: found(240, 250),
      unjudged: [{ requirement: after, remedy: longer }],
      broke: {
        requirement: after,
        sentence: 'Repeating a request.',
        ratePerSecond: 84.9,
        proof: { expected: 'a', actual: 'b', exchanges: [] },
      },
    },
    'No verdict: no trial showed that idempotency.after is kept; idempotency.after breaks (first at 84.9/s); thresholds hold up to 240/s, after 2 trials. Use longer trials.',
  ],
  [
    {
      result: { kind: 'at-least', ratePerSecond: 80, limit: 'unjudged' },
      thresholds: found(240, 250),
      unjudged: [{ requirement: after, keptAtPerSecond: 80, remedy: longer }],
    },
    'Correct up to at least 80/s: no trial above it judged idempotency.after; thresholds hold up to 240/s, after 2 trials. Use longer trials.',
  ],
])('it says what was not judged, and what helps (%#)', (capacity, expected) => {
  expect(capacitySentence({ trials: trialsAt(100, 200), ...capacity })).toBe(expected);
});
