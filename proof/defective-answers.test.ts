import { expect, test } from 'vitest';
import { suites } from '../suites/index.ts';
import { reasons } from './defective/reasons.ts';
import { type Defective, defective } from './defective/deployments.ts';
import { runTrial } from './trial.ts';

const cases: readonly (readonly [string, Defective])[] = Object.entries(defective);

test.each(cases)('%s: the checks that it leaves nothing to judge are blocked, and say why', async (name, made) => {
  const { faults = [], choices = {}, ...options } = made;
  const reasonOf = Object.entries(reasons).find(([one]) => one === name)?.[1] ?? {};
  const checks = suites.filter(({ id }) => reasonOf[id] !== undefined);
  const findings = await runTrial({ seed: 1, faults, choices }, { ...options, checks });
  const said = Object.fromEntries(findings.map(({ check, kind, text }) => [check, { kind, text }]));
  const expected = Object.entries(reasonOf).map(([check, reason]) => [
    check,
    { kind: 'blocked', text: expect.stringContaining(reason) },
  ]);
  expect(said).toEqual(Object.fromEntries(expected));
});
