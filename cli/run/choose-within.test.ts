import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { createReference } from '../../reference/reference.ts';
import { suites } from '../../suites/index.ts';
import { chooseWithin } from './choose-within.ts';
import { spokenDuration } from '../shared/spoken-duration.ts';

const { target: reference } = createReference({ clock: virtualClock(), seed: 1 });
const target = { ...reference, limits: { ...reference.limits, maxRequestsPerSecond: 20 } };
const options = { target, checks: suites, latencyMs: [50, 50], seed: 1, outages: [] } as const;

test('a budget is kept, and goes to musts before shoulds', async () => {
  const ms = 60_000;
  const { budget, forecast } = await chooseWithin(ms, options, () => 0);
  expect(forecast.durationMs).toBeLessThanOrEqual(ms);
  const chosen = suites.filter(({ id }) => !Object.hasOwn(budget.leftOut, id));
  expect(chosen.length).toBeGreaterThan(suites.length / 4);
  expect(chosen.length).toBeLessThan(suites.length);
  const leftOutMusts = suites.filter(({ id, level }) => level === 'must' && Object.hasOwn(budget.leftOut, id));
  expect(leftOutMusts.length).toBeGreaterThan(0);
  expect(chosen.filter(({ level }) => level === 'should')).toEqual([]);
  expect([...new Set(Object.values(budget.leftOut))]).toEqual([
    'left out: a budget of 60 s is too short for all checks, and others find more bugs in that time',
  ]);
});

test('a budget that is long enough leaves nothing out, and says so at once', async () => {
  expect((await chooseWithin(3_600_000, options)).budget.leftOut).toEqual({});
});

test.each([
  [0, '1 s'],
  [1499, '1 s'],
  [99_000, '99 s'],
  [100_000, '2 min'],
  [5_940_000, '99 min'],
  [6_000_000, '1 h 40 min'],
])('%i ms are %s', (ms, spoken) => {
  expect(spokenDuration(ms)).toBe(spoken);
});
