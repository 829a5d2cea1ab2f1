import { virtualClock } from '../core/clock.ts';
import { createSession } from '../engine/session/session.ts';
import { createReference } from '../reference/reference.ts';
import { invariants } from '../suites/errors/invariants.ts';
import { suites } from '../suites/index.ts';
import { runChecks } from '../testing/run-checks.ts';

/** What a run of the suite records of the reference's choices, where the specification leaves them open: a line each. */
export async function observedOnReference(): Promise<string> {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const session = createSession({ deployment, target, clock, seed: 1, invariants });
  await runChecks(suites, session);
  return session
    .observations()
    .map(({ point, value }) => `${point}  ${value}\n`)
    .join('');
}
