import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { runChecks } from '../../testing/run-checks.ts';
import { saidBy } from '../../testing/said-by.ts';
import { suites } from '../index.ts';

/** What becomes of a check, after the checks of some other requirements, where the reference has that fault and such IDs. */
async function verdictOf(id: string, { fault, ids = 'mixed', after = [] }: Variant): Promise<string | undefined> {
  const clock = virtualClock();
  const faults = fault === undefined ? [] : [fault];
  const { deployment, target } = createReference({ clock, seed: 1, faults, choices: { ids } });
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  const judged = await runChecks(
    suites.filter((check) => check.id === id || after.includes(check.id)),
    session,
  );
  return judged.find(({ check }) => check.id === id)?.verdict.kind;
}

type Variant = { readonly fault?: string; readonly ids?: string; readonly after?: readonly string[] };

const chats = { after: ['messages.distinct-ids'] };

test.each<[string, string, Variant]>([
  ['passed', 'deleteDataSource', {}],
  ['passed', 'deleteDataSource', { ids: 'uuid' }],
  ['passed', 'deleteDataSource', { ids: 'number' }],
  ['violated', 'deleteDataSource', { fault: 'deletion-in-any-case' }],
  ['violated', 'deleteDataSource', { fault: 'deletion-by-beginning' }],
  ['passed', 'attachOrganization', {}],
  ['violated', 'attachOrganization', { fault: 'attach-to-account-in-any-case' }],
  ['passed', 'sendMessage', chats],
  ['passed', 'sendMessage', { ids: 'per-organization', ...chats }],
  ['blocked', 'sendMessage', {}],
  ['violated', 'sendMessage', { fault: 'chat-in-any-case', ...chats }],
])('a write to nearly an ID is %s: %s, %j', async (verdict, operation, variant) => {
  expect(await verdictOf(`robustness.odd-ids/${operation}/inexact`, variant)).toBe(verdict);
});

test('a deletion by nearly an ID answers with the record that it found', async () => {
  const after = ['robustness.odd-ids/deleteDataSource/inexact'];
  expect(await saidBy('delete.record/at-last', { faults: ['deletion-in-any-case'], after })).toEqual([]);
});
