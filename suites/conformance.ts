import { afterAll, inject } from 'vitest';
import { createSession } from '../harness/session.ts';
import { openDeployment } from '../targets/open-deployment.ts';
import { defineTests } from './bridge.ts';
import { suites } from './index.ts';
import { selectChecks } from './plan.ts';

const { deployment: plan, seed, strict, only } = inject('awc');
const { deployment, target, clock, close } = await openDeployment(plan, seed);
const session = createSession({ deployment, target, clock, seed, watches: [] });

defineTests(selectChecks(suites, only), session, strict);
afterAll(close);
