import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { runChecks } from '../../testing/run-checks.ts';
import { suites } from '../index.ts';
import type { Target } from '../../core/target.ts';
import { refusing } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

type Said = Parameters<typeof saidBy>[1];

const bobUnauthorized: NonNullable<Said['through']> = (behind, _clock, { principals }) => {
  const key = principals.find(({ name }) => name === 'bob')?.key;
  return refusing(({ headers }) => (headers['authorization'] === `Bearer ${key}` ? 401 : undefined))(behind);
};
const noAccountReadable = refusing(({ path }) => (path.includes('/billing-accounts/') ? 404 : undefined));

const threeToAttach = (target: Target): Target => ({
  ...target,
  billingAccounts: target.billingAccounts.map((one) => ({ ...one, attachable: one.attachable.slice(0, 3) })),
});

const noAdmins = (target: Target): Target => ({
  ...target,
  principals: target.principals.map((one) => ({ ...one, adminOf: [] })),
});

test('durability.messages, where no hook restarts the deployment', async () => {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  const [judged] = await runChecks(
    suites.filter(({ id }) => id === 'durability.messages'),
    session,
  );
  const reason = expect.stringMatching(/^the deployment cannot be restarted: set hooks\.restart in the target file/);
  expect(judged?.verdict).toMatchObject({ kind: 'blocked', reason });
});

test.each<readonly [string, string, Said, RegExp]>([
  [
    'billing.types',
    'no account is declared',
    { part: (target) => ({ ...target, billingAccounts: [] }) },
    /^blocked: no billing account is declared/,
  ],
  [
    'billing.types',
    'nobody may read an account',
    { part: noAdmins },
    /^blocked: no principal is adminOf the owner of a billing account$/,
  ],
  [
    'billing.types',
    'no account can be read',
    { through: noAccountReadable },
    /^blocked: no billing account could be read: \S+ by \S+: 404/,
  ],
  [
    'access.granted/listModels',
    'the key of one principal is not accepted',
    { through: bobUnauthorized },
    /^blocked: no operation accepts the key of bob$/,
  ],
  [
    'attach.count/at-once',
    'three organizations can be attached',
    { part: threeToAttach },
    /^blocked: needs two more organizations/,
  ],
  [
    'durability.messages',
    'messages have no parent and keys are forgotten',
    { choices: { parent: 'never' }, faults: ['keys-in-memory'] },
    /^blocked: neither parentId nor a repeated request shows/,
  ],
])('%s, where %s', async (id, _what, options, said) => {
  expect(await saidBy(id, options)).toEqual([expect.stringMatching(said)]);
});
