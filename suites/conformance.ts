import { afterAll, inject, test } from 'vitest';
import { diagnose } from '../targets/doctor/doctor.ts';
import { openDeployment } from '../targets/open-deployment.ts';
import { allChecks } from './own-checks.ts';
import { endOf, leftOf, leftOutFor, selectChecks } from './plan.ts';
import { defineTests } from './run/define-tests.ts';
import { openSession } from './run/open-session.ts';

const { deployment, seed, strict, only, suites, preflight, answered, ...plan } = inject('awc');
const budget = plan.budget && leftOf(plan.budget);
const checks = selectChecks(await allChecks(suites), only);
const opened = await openDeployment(deployment, seed);
const session = openSession(
  { ...opened, seed, answered },
  checks.filter(({ id }) => budget === undefined || !Object.hasOwn(budget.leftOut, id)),
);

if (preflight) {
  const { unusable } = await diagnose(session, opened.advise);
  if (unusable !== undefined) throw new Error(unusable);
}
defineTests({ test }, checks, session, {
  strict,
  leaveOut: budget && leftOutFor(budget, opened.clock),
  isOver: budget && { usual: endOf(budget, 'usual'), last: endOf(budget, 'last') },
});
afterAll(opened.close);
