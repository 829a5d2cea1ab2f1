import fc from 'fast-check';
import type { Fault } from '../reference/variation.ts';
import { blockedBy } from './accusations.ts';
import { drawnChoices } from './draw-choices.ts';
import { checksOf, type Finding, type TimedTrial, timeTrial, type Trial } from './trial.ts';

/** A fault that goes unseen because the deployment around it is oddly legal, shrunk to the choices that it takes. */
export type Escape = { readonly fault: string; readonly trial: Trial; readonly findings: readonly Finding[] };

export type CrossedResult = { readonly escape: Escape | undefined; readonly times: readonly TimedTrial[] };

/**
 * Tries a fault in `cases` oddly legal deployments: a check of the requirement it breaks must be violated in each, unless
 * the choices leave the fault nothing to go wrong on, or account for a blocked check.
 */
export async function crossed({ name, breaks, idle }: Fault, seed: number, cases: number): Promise<CrossedResult> {
  let escape: Escape | undefined;
  const times: TimedTrial[] = [];
  const trials = fc.record({ seed: fc.nat(0xffff), faults: fc.constant([name]), choices: drawnChoices });
  const seen = fc.asyncProperty(trials, async (trial) => {
    const idleHere = Object.entries(idle ?? {}).some(([axis, values]) => values.includes(trial.choices[axis] ?? ''));
    if (idleHere) return true;
    const own = await timeTrial(trial, { checks: checksOf(breaks) });
    times.push({ trial, seconds: own.seconds });
    if (isAccountedFor(own.findings, trial, breaks)) return true;
    // It may show only after what other checks send.
    const whole = await timeTrial(trial);
    times.push({ trial, seconds: whole.seconds });
    const findings = whole.findings.filter(({ requirement }) => requirement === breaks);
    const accounted = isAccountedFor(findings, trial, breaks);
    if (!accounted) escape = { fault: name, trial, findings };
    return accounted;
  });
  await fc.check(seen, { seed, numRuns: cases });
  return { escape, times };
}

/** Whether a check was violated, or is blocked as the choices let it be. */
function isAccountedFor(findings: readonly Finding[], { choices }: Trial, breaks: string): boolean {
  if (findings.some(({ kind }) => kind === 'failed' || kind === 'warned')) return true;
  return findings.some(({ kind }) => kind === 'blocked') && blockedBy(choices).includes(breaks);
}
