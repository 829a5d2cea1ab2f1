import { afterAll, inject, test } from 'vitest';
import { realClock } from '../core/clock.ts';
import { diagnose } from '../targets/doctor/doctor.ts';
import { openDeployment } from '../targets/open-deployment.ts';
import { allChecks } from './own-checks.ts';
import { selectChecks } from './plan.ts';
import { deadlineIn } from './run/deadline.ts';
import { defineTests } from './run/define-tests.ts';
import { mostImportantFirst } from './run/most-important-first.ts';
import { openSession } from './run/open-session.ts';

const { deployment, seed, strict, only, suites, endsAt, preflight, answered } = inject('awc');
const selected = selectChecks(await allChecks(suites), only);
const checks = endsAt === undefined ? selected : mostImportantFirst(selected);
const opened = await openDeployment(deployment, seed);
const session = openSession({ ...opened, seed, answered }, checks);

if (preflight) {
  const { unusable } = await diagnose(session, opened.advise);
  if (unusable !== undefined) throw new Error(unusable);
}
// A budget is real time, also where the deployment is embedded and its clock virtual. Starting the tests took a part of it.
const deadline = endsAt === undefined ? undefined : deadlineIn(endsAt - Date.now(), realClock);
defineTests({ test }, checks, session, { strict, deadline });
afterAll(opened.close);
