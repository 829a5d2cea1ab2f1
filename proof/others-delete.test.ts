import { expect, test } from 'vitest';
import { Api, as } from '../engine/api.ts';
import { virtualClock } from '../core/clock.ts';
import { givenWalk } from '../stage/lists/walk.ts';
import { runChecks } from '../testing/run-checks.ts';
import { createSession } from '../engine/session/session.ts';
import { createReference } from '../reference/reference.ts';
import { suites } from '../suites/index.ts';
import { invariants } from '../suites/errors/invariants.ts';

/** The findings of a run while another client deletes undeclared data sources, at most so many. */
async function runWhileOthersDelete(everyMs: number, most = Number.POSITIVE_INFINITY): Promise<readonly string[]> {
  const clock = virtualClock();
  const { deployment, target, outages } = createReference({ clock, seed: 1, choices: { sources: '250' } });
  const session = createSession({ deployment, target, clock, seed: 1, invariants, outages });
  const [alice] = target.principals;
  const [main] = target.organizations;
  if (alice === undefined || main === undefined) throw new Error('the reference has no organization with an admin');
  const [caller, { id, disposableDataSources }] = [as(alice), main];
  const other = new Api(session, 'others');
  const { items } = await givenWalk(other, 'listDataSources', caller, id, { limit: 100 });
  let isOver = false;

  async function deleteNowAndThen(): Promise<void> {
    for (const [count, item] of items.entries()) {
      if (isOver || count >= most) return;
      if (disposableDataSources.includes(item.id)) continue;
      await clock.sleep(everyMs);
      await other.deleteDataSource(caller, id, item.id);
    }
  }

  const deleting = deleteNowAndThen();
  const judged = await runChecks(suites, session);
  isOver = true;
  await deleting;
  return judged.flatMap(({ check, verdict }) =>
    verdict.kind === 'violated' || verdict.kind === 'errored' ? [`${check.id} ${verdict.kind}`] : [],
  );
}

test.each([1000, 3000, 5000, 10_000, 20_000, 30_000, 40_000])(
  'deletions by another client every %s ms cause no failed check',
  async (everyMs) => {
    expect(await runWhileOthersDelete(everyMs)).toEqual([]);
  },
);

// The lists are still by the time at which somebody looks.
test.each([
  [20, 500],
  [100, 300],
  [200, 200],
])('%i deletions by another client, one each %s ms, cause no failed check', async (most, everyMs) => {
  expect(await runWhileOthersDelete(everyMs, most)).toEqual([]);
});
