import { afterAll, inject, test } from 'vitest';
import { createSession } from '../harness/session.ts';
import { diagnose } from '../targets/doctor.ts';
import { openDeployment } from '../targets/open-deployment.ts';
import { defineTests } from './bridge.ts';
import { allChecks } from './all-checks.ts';
import { leftOutFor } from './left-out.ts';
import { selectChecks } from './plan.ts';
import { watches } from './watches.ts';

const { deployment: plan, seed, strict, only, suites, budget, preflight } = inject('awc');
const { deployment, target, clock, restart, close } = await openDeployment(plan, seed);
const session = createSession({ deployment, target, clock, seed, watches, restart });

if (preflight) {
  const { unusable } = await diagnose(session);
  if (unusable !== undefined) throw new Error(unusable);
}
defineTests({ test }, selectChecks(await allChecks(suites), only), session, {
  strict,
  leaveOut: budget && leftOutFor(budget, clock),
});
afterAll(close);
