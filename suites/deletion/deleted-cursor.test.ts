import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { Target } from '../../core/target.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { runChecks } from '../../testing/run-checks.ts';
import { saidBy } from '../../testing/said-by.ts';
import { deleting } from './delete.ts';

/** How the two checks of the cursor of a deleted data source end, where it is no cursor any more and unknown cursors are answered like that. */
async function verdictsWhere(unknownCursor: string): Promise<readonly string[]> {
  const clock = virtualClock();
  const choices = { 'unknown-cursor': unknownCursor, 'cursor-of-deleted': 'unknown' };
  const { deployment, target } = createReference({ clock, seed: 1, choices });
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  const checks = deleting.filter(({ id }) => /^delete\.cursor-(keeps|reaches)/.test(id));
  return (await runChecks(checks, session)).map(({ verdict }) => verdict.kind);
}

test.each([
  ['400', ['passed', 'passed']],
  ['404', ['passed', 'passed']],
  ['beginning', ['violated', 'passed']],
  ['empty', ['passed', 'violated']],
])(
  'the cursor of a deleted data source may be refused, and neither starts the list over nor ends it: %s',
  async (how, verdicts) => {
    expect(await verdictsWhere(how)).toEqual(verdicts);
  },
);

test('of data sources without models, one with others after it is deleted', async () => {
  const part = (target: Target): Target => ({
    ...target,
    organizations: target.organizations.filter(({ id }) => id === 'org_main'),
  });
  expect(await saidBy('delete.cursor-reaches-the-rest', { choices: { models: '0' }, part })).toEqual([]);
});
