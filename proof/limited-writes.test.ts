import { expect, test } from 'vitest';
import { suites } from '../suites/index.ts';
import { runTrial } from './trial.ts';

test('a limit on writes alone, which the run met, is judged by harmless writes', async () => {
  const choices = { 'rate-scope': 'writes', 'rate-quota': '20-in-1s' };
  // Only reads are sent while the clock is moved.
  const checks = suites.filter(({ id }) => id !== 'rate.honest/listModels/clock');
  const findings = await runTrial({ seed: 1, faults: [], choices }, { checks });
  expect(findings.filter(({ check, kind }) => check.startsWith('rate.') || kind === 'failed')).toEqual([]);
});
