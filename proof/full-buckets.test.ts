import { expect, test } from 'vitest';
import { suites } from '../suites/index.ts';
import { checksOf, runTrial } from './trial.ts';

test.each(['20-in-1s', '100-in-5s'])('a bucket of %s that says when it is full is judged honest', async (quota) => {
  const checks = suites.filter(({ requirement }) => requirement.startsWith('rate.'));
  const choices = { 'rate-window': 'bucket-until-full', 'rate-quota': quota };
  const findings = await runTrial({ seed: 1, faults: [], choices }, { checks });
  expect(findings).toEqual([]);
});

test('a bucket that is full much later than it says is not taken at its word', async () => {
  const choices = { 'rate-window': 'bucket-until-full', 'rate-quota': '100-in-5s' };
  const trial = { seed: 1, faults: ['window-twice-as-long'], choices };
  const findings = await runTrial(trial, { checks: checksOf('rate.counts-down') });
  expect(findings.map(({ kind }) => kind)).toEqual(['blocked']);
});
