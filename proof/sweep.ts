import fc from 'fast-check';
import type { Check } from '../harness/check.ts';
import { suites } from '../suites/index.ts';
import { accusations } from './accusations.ts';
import { drawnChoices } from './draw-choices.ts';
import { type Finding, runTrial, type Trial } from './trial.ts';

/** A legal deployment that the suite accuses, shrunk to the choices that it takes. */
export type FalseAlarm = { readonly trial: Trial; readonly findings: readonly Finding[] };

export type SweepResult = { readonly deployments: number; readonly alarm: FalseAlarm | undefined };

/** Draws `cases` legal deployments from the seed and runs the whole suite on each; stops at the first false alarm. */
export async function sweep(seed: number, cases: number, checks: readonly Check[] = suites): Promise<SweepResult> {
  let alarm: FalseAlarm | undefined;
  let deployments = 0;
  const trials = fc.record({ seed: fc.nat(0xffff), faults: fc.constant([]), choices: drawnChoices });
  const silent = fc.asyncProperty(trials, async (trial) => {
    deployments += alarm === undefined ? 1 : 0;
    const findings = accusations(await runTrial(trial, () => true, checks), trial.choices);
    if (findings.length > 0) alarm = { trial, findings };
    return findings.length === 0;
  });
  await fc.check(silent, { seed, numRuns: cases });
  return { deployments, alarm };
}
