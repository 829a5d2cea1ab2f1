import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { outageKinds } from '../../core/outages.ts';
import type { Target } from '../../core/target.ts';
import type { UsedUp } from '../../engine/session/used-up.ts';
import { createWorldData } from '../../reference/data/create-world-data.ts';
import { defaultDataOptions } from '../../reference/data/options.ts';
import { createReference } from '../../reference/reference.ts';
import { suites } from '../../suites/index.ts';
import { openSession } from '../../suites/run/open-session.ts';
import { runSuite } from '../../suites/run/run-suite.ts';
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

test.each([
  ['the reference', {}, (whole: Target) => whole],
  ['a deployment that can spare many data sources', { disposableSources: 37 }, (whole: Target) => whole],
  ['a deployment that has them in one organization', { disposableSources: 12 }, onlyMain],
  ['a deployment that can spare few', { disposableSources: 3 }, onlyMain],
])('%s: a run deletes and attaches as much as the forecast says', async (_what, changed, part) => {
  const clock = virtualClock();
  const data = createWorldData(1, { ...defaultDataOptions, ...changed });
  const reference = createReference({ clock, seed: 1, like: { data, rules: {} } });
  const judged = part(reference.target);
  const checks = suites.filter(({ phase }) => phase !== 'rateLimit' && phase !== 'outage');
  const expected = await forecast({ target: judged, checks, latencyMs: [1, 1], seed: 2, outages: [] });
  const session = openSession({ deployment: reference.deployment, target: judged, clock, seed: 1 }, checks);
  const { usedUp } = await runSuite(session, checks, { observed: false });
  const counts = ({ deletions, attachments }: Pick<UsedUp, 'deletions' | 'attachments'>) => [
    deletions.length,
    attachments.length,
  ];
  expect(usedUp && counts(usedUp)).toEqual(counts(expected.usedUp));
});

/** Leaves only the first organization anything to delete. */
function onlyMain(whole: Target): Target {
  const organizations = whole.organizations.map((one, place) =>
    place === 0 ? one : { ...one, disposableDataSources: [] },
  );
  return { ...whole, organizations };
}
