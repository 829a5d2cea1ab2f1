import { expect, test } from 'vitest';
import { runTrial } from './trial.ts';

test('a limit on writes alone, which the run met, is judged by harmless writes', async () => {
  const choices = { 'rate-scope': 'writes', 'rate-quota': '20-in-1s' };
  const findings = await runTrial({ seed: 1, faults: [], choices });
  expect(findings.filter(({ check, kind }) => check.startsWith('rate.') || kind === 'failed')).toEqual([]);
});
