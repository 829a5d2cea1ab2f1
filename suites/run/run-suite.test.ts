import { expect, test } from 'vitest';
import { recordRun } from './run-suite.ts';

test('a record counts the requests of the run and those before it', async () => {
  const judging = async () => ({ requests: 3, observations: [], usedUp: undefined, problems: [], interrupted: false });
  const target = { name: 'any', baseUrl: 'http://any.invalid' };
  const { requests } = await recordRun(judging, [], { target, seed: 1, now: () => 0, requestsBefore: 4 });
  expect(requests).toBe(7);
});
