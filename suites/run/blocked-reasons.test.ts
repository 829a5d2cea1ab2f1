import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { Target } from '../../core/target.ts';
import { createSession } from '../../engine/session/session.ts';
import type { Verdict } from '../../engine/verdict.ts';
import { createReference } from '../../reference/reference.ts';
import { runChecks } from '../../testing/run-checks.ts';
import { suites } from '../index.ts';

/** The verdict of one check on a reference with these faults, of which the target file says that. */
async function verdictOf(
  id: string,
  faults: readonly string[],
  changed: Partial<Target>,
): Promise<Verdict | undefined> {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 5, faults });
  const session = createSession({ deployment, target: { ...target, ...changed }, clock, seed: 5, invariants: [] });
  const [judged] = await runChecks(
    suites.filter((check) => check.id === id),
    session,
  );
  return judged?.verdict;
}

test('a list without pagination blocks what reads its pages, and the reason says what is missing', async () => {
  expect(await verdictOf('paging.limit/listModels', ['last-page-without-pagination'], {})).toMatchObject({
    kind: 'blocked',
    reason: expect.stringMatching(/gave no readable page: 200 without data .* or without pagination/),
  });
});

test('without a billing account, no other principal is advised', async () => {
  expect(await verdictOf('access.denied/getBillingAccount', [], { billingAccounts: [] })).toMatchObject({
    kind: 'blocked',
    reason: 'no billing account is declared: declare billingAccounts.<id>.owner',
  });
});
