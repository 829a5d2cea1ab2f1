import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { outageKinds } from '../../core/outages.ts';
import { createReference } from '../../reference/reference.ts';
import { suites } from '../../suites/index.ts';
import { selectChecks } from '../../suites/plan.ts';
import { forecast } from './forecast.ts';

const { target } = createReference({ clock: virtualClock(), seed: 1 });

test.each([
  ['paging.*', []],
  ['models.*', []],
  ['idempotency.*', ['messages']],
  ['delete.*', ['deletions']],
  ['attach.*', ['attachments']],
  ['errors.body', ['messages', 'deletions', 'attachments']],
])('a run of %s writes nothing but %j, and exercises all of it', async (pattern, writing) => {
  const checks = selectChecks(suites, [pattern]);
  const { writes, blocked } = await forecast({ target, checks, latencyMs: [1, 1], seed: 1, outages: outageKinds });
  const written = Object.entries(writes).flatMap(([effect, count]) => (count > 0 ? [effect] : []));
  expect(written).toEqual(writing);
  expect(blocked).toEqual([]);
});
