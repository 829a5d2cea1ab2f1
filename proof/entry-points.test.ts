import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import { createReference } from '../reference/reference.ts';
import { openSession } from '../suites/run/open-session.ts';
import { runSuite } from '../suites/run/run-suite.ts';
import { checksOf } from './trial.ts';

test('a violation between two nodes is shown with the URLs of both, and a curl line for the one that answered', async () => {
  const clock = virtualClock();
  const reference = createReference({ clock, seed: 1, faults: ['lock-of-each-node'] });
  const checks = checksOf('conflict.refused');
  const record = await runSuite(openSession({ ...reference, clock, seed: 1 }, checks), checks);
  const failed = record.checks.find(({ verdict }) => verdict === 'failed');
  const hosts = failed?.exchanges.map(({ request }) => new URL(request.url).hostname);
  expect(new Set(hosts)).toEqual(new Set(['reference.invalid', 'reference-2.invalid']));
  expect(failed?.curl).toContain(`http://${hosts?.at(-1)}/api/public/`);
});
