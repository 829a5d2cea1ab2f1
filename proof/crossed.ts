import fc from 'fast-check';
import type { Fault } from '../reference/variation.ts';
import { blockedBy } from './accusations.ts';
import { drawnChoices } from './draw-choices.ts';
import { type Finding, runTrial, type Trial } from './trial.ts';

/** A fault that goes unseen because the deployment around it is oddly legal, shrunk to the choices that it takes. */
export type Escape = { readonly fault: string; readonly trial: Trial; readonly findings: readonly Finding[] };

/**
 * Tries a fault in `cases` oddly legal deployments: a check of the requirement it breaks must be violated in each, unless
 * every one of them is blocked and the choices account for that.
 */
export async function crossed({ name, breaks }: Fault, seed: number, cases: number): Promise<Escape | undefined> {
  let escape: Escape | undefined;
  const trials = fc.record({ seed: fc.nat(0xffff), faults: fc.constant([name]), choices: drawnChoices });
  const seen = fc.asyncProperty(trials, async (trial) => {
    const findings = await runTrial(trial, (id) => id === breaks);
    const killed = findings.some(({ kind }) => kind === 'failed' || kind === 'warned');
    const excused = findings.some(({ kind }) => kind === 'blocked') && blockedBy(trial.choices).includes(breaks);
    if (!killed && !excused) escape = { fault: name, trial, findings };
    return killed || excused;
  });
  await fc.check(seen, { seed, numRuns: cases });
  return escape;
}
