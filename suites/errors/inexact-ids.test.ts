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
  ['passed', 'delete.unknown', {}],
  ['passed', 'delete.unknown', { ids: 'uuid' }],
  ['blocked', 'delete.unknown', { ids: 'number' }],
  ['violated', 'delete.unknown', { fault: 'deletion-in-any-case' }],
  ['violated', 'delete.unknown', { fault: 'deletion-by-beginning' }],
  ['passed', 'messages.unknown-chat', chats],
  ['blocked', 'messages.unknown-chat', { ids: 'per-organization', ...chats }],
  ['blocked', 'messages.unknown-chat', {}],
  ['violated', 'messages.unknown-chat', { fault: 'chat-in-any-case', ...chats }],
])('a write to nearly an ID is %s: %s, %j', async (verdict, requirement, variant) => {
  expect(await verdictOf(`${requirement}/inexact`, variant)).toBe(verdict);
});

test('a deletion by nearly an ID answers with the record that it found', async () => {
  const after = ['delete.unknown/inexact'];
  expect(await saidBy('delete.record/at-last', { faults: ['deletion-in-any-case'], after })).toEqual([]);
});
