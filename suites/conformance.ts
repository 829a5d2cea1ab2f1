import { afterAll, inject, test } from 'vitest';
import { withDeclaredEffects } from '../engine/declared-effects.ts';
import { createSession } from '../engine/session/session.ts';
import { diagnose } from '../targets/doctor/doctor.ts';
import { openDeployment } from '../targets/open-deployment.ts';
import { defineTests } from './run/bridge.ts';
import { allChecks } from './all-checks.ts';
import { leftOutFor } from './run/left-out.ts';
import { selectChecks } from './plan.ts';
import { watches } from './errors/watches.ts';

const { deployment: plan, seed, strict, only, suites, budget, preflight } = inject('awc');
const checks = selectChecks(await allChecks(suites), only);
const { close, ...opened } = await openDeployment(plan, seed);
const target = withDeclaredEffects(
  opened.target,
  checks.filter(({ id }) => budget === undefined || !Object.hasOwn(budget.leftOut, id)),
);
const session = createSession({ ...opened, target, seed, watches });

if (preflight) {
  const { unusable } = await diagnose(session);
  if (unusable !== undefined) throw new Error(unusable);
}
defineTests({ test }, checks, session, {
  strict,
  leaveOut: budget && leftOutFor(budget, opened.clock),
});
afterAll(close);
