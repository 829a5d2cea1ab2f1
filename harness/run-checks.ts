import { type Check, judge, phases } from './check.ts';
import type { Session } from './session.ts';
import type { Verdict } from './verdict.ts';

export type Judged = { readonly check: Check; readonly verdict: Verdict };

/** Runs checks one by one in the order of their phases: the order in which a run over the network may not mix them. */
export async function runChecks(checks: readonly Check[], session: Session): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const phase of phases) {
    for (const check of checks) {
      if (check.phase === phase) judged.push({ check, verdict: await judge(check, session) });
    }
  }
  return judged;
}
