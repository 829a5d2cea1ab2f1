import type { Check } from '../../engine/check.ts';
import { judgeAll } from './judge-all.ts';
import type { Session } from '../../engine/session/session.ts';
import type { Verdict } from '../../engine/verdict.ts';

export type Judged = { readonly check: Check; readonly verdict: Verdict };

/** Judges checks one by one in the order of their phases: the same trial then gives the same verdicts. */
export async function runChecks(checks: readonly Check[], session: Session): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  await judgeAll(checks, session, undefined, (check, verdict) => void judged.push({ check, verdict }), 1);
  return judged;
}
