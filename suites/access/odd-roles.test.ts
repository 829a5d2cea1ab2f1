import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import type { Target } from '../../core/target.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;

/** A read with a valid key. */
type Read = {
  readonly name: string;
  /** The organization, or the owner of the account. */
  readonly id: string;
  readonly operation: 'models' | 'data-sources' | 'billing-accounts';
  readonly isAdmin: boolean;
  /** How often it was asked for before. */
  readonly before: number;
};

const answering =
  (statusOf: (read: Read) => number | undefined): Through =>
  (behind, _clock, { principals, billingAccounts }) => {
    const seen = new Map<string, number>();
    return async (request) => {
      const answer = await behind(request);
      const caller = principals.find(({ key }) => request.headers['authorization'] === `Bearer ${key}`);
      const [operation] = /models|data-sources|billing-accounts/.exec(request.path) ?? [];
      const [, resource = ''] = /(?:organizations|billing-accounts)\/([^/?]+)/.exec(request.path) ?? [];
      if (caller === undefined || operation === undefined || request.method !== 'GET') return answer;
      const id = billingAccounts.find((one) => one.id === resource)?.owner ?? resource;
      const place = `${caller.name} ${operation} ${id}`;
      const before = seen.get(place) ?? 0;
      seen.set(place, before + 1);
      const isAdmin = caller.adminOf.includes(id);
      const known = operation === 'models' || operation === 'data-sources' ? operation : 'billing-accounts';
      const status = statusOf({ name: caller.name, id, operation: known, isAdmin, before });
      if (status === undefined) return answer;
      return status < 300 ? { ...answer, status } : errorAnswer(status);
    };
  };

const [granted, denied] = [
  ['listModels', 'listDataSources', 'getBillingAccount'],
  ['listDataSources', 'getBillingAccount'],
];
const grantedTo = granted.map((operation) => `access.granted/${operation}`);
const deniedTo = ['access.models-404', ...denied.map((operation) => `access.denied/${operation}`)];
const atLast = grantedTo.map((id) => `${id}/at-last`);
const sideBySide = ['access.models-404/side-by-side', 'access.denied/listDataSources/side-by-side'];

const keyless = 'blocked: no operation accepts the key of';

test.each([
  [
    'a key is not accepted',
    ({ name }: Read) => (name === 'bob' ? 401 : undefined),
    [...grantedTo, ...deniedTo],
    `${keyless} bob$`,
  ],
  ['no key is accepted', () => 401, [...grantedTo, ...deniedTo, ...atLast], `${keyless} alice, dave, erin, `],
  [
    'a stranger gets the answer for a wrong key, for models alone',
    ({ name, operation }: Read) => (name === 'bob' && operation === 'models' ? 401 : undefined),
    ['access.models-404'],
    'failed: expected 404 for bob, not a declared admin, reading org_\\w+; got 401',
  ],
  [
    'the key of an admin is not accepted once',
    ({ name, operation, before }: Read) =>
      name === 'erin' && operation === 'models' && before === 0 ? 401 : undefined,
    ['access.granted/listModels'],
    undefined,
  ],
  [
    'an admin is refused',
    ({ isAdmin, name }: Read) => (isAdmin && name === 'erin' ? 403 : undefined),
    grantedTo,
    'failed: expected 2xx for erin, a declared admin, reading (org_other|ba_\\w+); got 403',
  ],
  [
    'an organization is not found by its admin',
    ({ isAdmin, id }: Read) => (isAdmin && id === 'org_other' ? 404 : undefined),
    grantedTo,
    'blocked: (org_other|ba_\\w+) answers 404 to its declared admin erin: is the ID right',
  ],
  ['nothing is found', () => 404, grantedTo, 'blocked: .* answers 404 to its declared admin alice: is the ID right'],
  [
    'nothing is found',
    () => 404,
    deniedTo,
    'blocked: no request was denied for a resource that its own admin can read',
  ],
  ['nothing is found', () => 404, atLast, 'blocked: no resource could be read at the beginning of the run'],
  [
    'nothing is found',
    () => 404,
    sideBySide,
    'blocked: no resource was shown to its admin and refused to another principal',
  ],
  [
    'strangers may read everything',
    ({ isAdmin }: Read) => (isAdmin ? undefined : 200),
    deniedTo,
    'failed: expected (404|no 2xx) for \\w+, (not a declared admin|.*)reading (org_|ba_)\\w+; got 200',
  ],
  [
    'strangers may not read',
    ({ isAdmin }: Read) => (isAdmin ? undefined : 403),
    ['access.models-404', 'access.models-404/side-by-side'],
    'failed: expected 404 for \\w+, not a declared admin, reading org_\\w+.*; got 403',
  ],
  ['strangers may not read', ({ isAdmin }: Read) => (isAdmin ? undefined : 403), deniedTo.slice(1), undefined],
  [
    'admins get errors later',
    ({ isAdmin, before }: Read) => (isAdmin && before > 0 ? 500 : undefined),
    atLast,
    'failed: expected no error inside for alice, who could read (org_main|ba_\\w+) before; got 500',
  ],
  [
    'admins find nothing later',
    ({ isAdmin, before }: Read) => (isAdmin && before > 0 ? 404 : undefined),
    atLast,
    undefined,
  ],
] as const)('where %s', async (_what, statusOf, ids, said) => {
  for (const id of ids) {
    const expected = said === undefined ? [] : [expect.stringMatching(new RegExp(`^${said}`))];
    expect([id, ...(await saidBy(id, { through: answering(statusOf) }))]).toEqual([id, ...expected]);
  }
});

const named =
  (...names: readonly string[]) =>
  (target: Target): Target => ({ ...target, principals: target.principals.filter(({ name }) => names.includes(name)) });

test.each([
  ['bob', grantedTo.slice(0, 2), 'blocked: no principal is adminOf any organization'],
  ['bob', grantedTo.slice(2), 'blocked: no principal is adminOf the owner of a billing account'],
  ['bob', deniedTo, 'blocked: no request was denied for a resource that its own admin can read'],
] as const)('where only %s is declared', async (name, ids, said) => {
  for (const id of ids) {
    expect([id, ...(await saidBy(id, { part: named(name) }))]).toEqual([
      id,
      expect.stringMatching(new RegExp(`^${said}`)),
    ]);
  }
});

test('without a billing account, there is none to deny', async () => {
  const part = (target: Target): Target => ({ ...target, billingAccounts: [] });
  expect(await saidBy('access.denied/getBillingAccount', { part })).toEqual([
    expect.stringMatching(/^blocked: no billing account is declared/),
  ]);
});

test('where everybody is admin of everything, nobody is denied', async () => {
  const part = (target: Target): Target => {
    const adminOf = target.organizations.map(({ id }) => id);
    return { ...target, principals: target.principals.slice(0, 1).map((one) => ({ ...one, adminOf })) };
  };
  for (const id of deniedTo) {
    expect(await saidBy(id, { part })).toEqual([
      expect.stringMatching(
        /^blocked: there is no principal to deny access to: declare a principal that is not adminOf/,
      ),
    ]);
  }
});

test('while all keys are accepted, no other operation is tried', async () => {
  const asked = new Set<string>();
  const through = answering(({ operation }) => {
    asked.add(operation);
    return undefined;
  });
  expect(await saidBy('access.denied/getBillingAccount', { through })).toEqual([]);
  expect([...asked]).toEqual(['billing-accounts']);
});
