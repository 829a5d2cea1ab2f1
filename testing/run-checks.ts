import type { Check } from '../engine/check.ts';
import { inOrder } from '../suites/run/in-turn.ts';
import { judge } from '../suites/run/judge.ts';
import type { Session } from '../engine/session/session.ts';
import type { Verdict } from '../engine/verdict.ts';

export type Judged = { readonly check: Check; readonly verdict: Verdict };

/** For tests: the verdicts of checks, one by one in the order of their phases, with their evidence. */
export async function runChecks(checks: readonly Check[], session: Session): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const check of inOrder(checks)) judged.push({ check, verdict: await judge(check, session) });
  return judged;
}
