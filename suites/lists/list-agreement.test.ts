import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { runChecks } from '../../testing/run-checks.ts';
import { paging } from './paging.ts';
import { walking } from './walking.ts';

/** What the violations of a requirement compare, where lists have a fault. */
async function comparedBy(fault: string, requirement: string): Promise<readonly unknown[]> {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 5, faults: [fault] });
  const session = createSession({ deployment, target, clock, seed: 5, invariants: [] });
  const checks = [...paging, ...walking].filter(({ id }) => id === `${requirement}/listModels`);
  const judged = await runChecks(checks, session);
  return judged.flatMap(({ verdict }) =>
    verdict.kind === 'violated' ? [{ expected: verdict.expected, actual: verdict.actual }] : [],
  );
}

test('a page that is too short differs in the number of its items, not in one of them', async () => {
  expect(await comparedBy('later-pages-short', 'paging.any-id-is-cursor')).toEqual([
    { expected: expect.stringMatching(/, limit=2: 2 items$/), actual: '1 item' },
  ]);
});

test('a page with another item names both items and their number', async () => {
  const [compared] = await comparedBy('single-items-in-batches-of-50', 'paging.walk');
  expect(compared).toEqual({
    expected: expect.stringMatching(/, limit=1: 1 item, number 1 "mdl/),
    actual: expect.stringMatching(/^1 item, number 1 "mdl/),
  });
});
