import fc from 'fast-check';
import type { Check } from '../engine/check.ts';
import { suites } from '../suites/index.ts';
import { accusations } from './accusations.ts';
import { drawnNeighbours } from './draw-choices.ts';
import { type Finding, runTrial, type Trial } from './trial.ts';

/** A legal deployment that the suite accuses, shrunk to the choices that it takes. */
export type FalseAlarm = { readonly trial: Trial; readonly findings: readonly Finding[] };

export type SweepResult = { readonly deployments: number; readonly alarm: FalseAlarm | undefined };

/** Legal deployments that share a world. */
const perWorld = 5;

/** Draws `cases` legal deployments from the seed and runs the whole suite on each; stops at the first false alarm. */
export async function sweep(seed: number, cases: number, checks: readonly Check[] = suites): Promise<SweepResult> {
  let alarm: FalseAlarm | undefined;
  let deployments = 0;
  const silent = fc.asyncProperty(drawnNeighbours(perWorld), async (world) => {
    for (const choices of world.choices) {
      if (alarm === undefined && deployments === cases) break;
      deployments += alarm === undefined ? 1 : 0;
      const trial = { seed: world.seed, faults: [], choices };
      const findings = accusations(await runTrial(trial, () => true, checks), choices);
      if (findings.length === 0) continue;
      alarm = { trial, findings };
      return false;
    }
    return true;
  });
  await fc.check(silent, { seed, numRuns: Math.ceil(cases / perWorld) });
  return { deployments, alarm };
}
