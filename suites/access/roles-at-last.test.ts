import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;
type Asked = { readonly name: string; readonly organizationId: string; readonly attached: ReadonlySet<string> };

/** Once something is attached, a caller gets the list of an organization as its admin does, or deletes there as one. */
const letIn =
  (method: 'GET' | 'DELETE', isLetIn: (asked: Asked) => boolean): Through =>
  (behind, _clock, { principals }) => {
    const attached = new Set<string>();
    return async (request) => {
      const { path, body, headers } = request;
      const [, organizationId = ''] = /organizations\/([^/]+)\/data-sources/.exec(path) ?? [];
      const caller = principals.find(({ key }) => headers['authorization'] === `Bearer ${key}`);
      const admin = principals.find(({ adminOf }) => adminOf.includes(organizationId));
      const asked = { name: caller?.name ?? '', organizationId, attached };
      const isAsAdmin = request.method === method && attached.size > 0 && admin !== undefined && isLetIn(asked);
      const answer = await behind(
        isAsAdmin ? { ...request, headers: { ...headers, authorization: `Bearer ${admin.key}` } } : request,
      );
      const isAttachment = request.method === 'POST' && path.includes('/billing-accounts/') && answer.status < 300;
      if (isAttachment) attached.add(JSON.parse(String(body)).organizationId);
      return answer;
    };
  };

const lists = 'access.denied/listDataSources/attached-at-last';
const refused = (name: string, what: string) => [
  expect.stringMatching(`^failed: expected no 2xx for ${name}, not a declared admin, ${what}.*; got 200`),
];

test.each([
  [
    'the one who attached, elsewhere',
    'alice',
    ({ name, attached, organizationId: id }: Asked) => name === 'alice' && !attached.has(id),
  ],
  [
    'another admin of the owner, elsewhere',
    'dave',
    ({ name, attached, organizationId: id }: Asked) => name === 'dave' && !attached.has(id),
  ],
  [
    'an admin of what is attached, elsewhere',
    'carol',
    ({ name, attached, organizationId: id }: Asked) => name === 'carol' && !attached.has(id),
  ],
  [
    'a member of what is attached',
    'bob',
    ({ name, attached, organizationId: id }: Asked) => name === 'bob' && attached.has(id),
  ],
] as const)('an attachment gives a role to %s', async (_whom, name, isLetIn) => {
  expect(await saidBy(lists, { through: letIn('GET', isLetIn) })).toEqual(refused(name, 'listing the data sources of'));
});

test('an attachment lets somebody delete elsewhere', async () => {
  const id = 'access.denied/deleteDataSource/at-last';
  const after = ['attach.count', 'delete.record/at-once'];
  expect(await saidBy(id, { after, through: letIn('DELETE', () => true) })).toEqual(
    refused('(alice|bob)', 'deleting a data source of'),
  );
  expect(await saidBy(id, { after, through: letIn('DELETE', () => false) })).toEqual([]);
});

test('nothing is said where nobody gets a role, or where no principal lacks a role', async () => {
  expect(await saidBy(lists, {})).toEqual([]);
  const part: TrialOptions['part'] = (target) => ({
    ...target,
    principals: target.principals
      .filter(({ name }) => name === 'alice')
      .map((one) => ({ ...one, adminOf: target.organizations.map(({ id }) => id) })),
  });
  expect(await saidBy(lists, { part })).toEqual([
    'blocked: needs a principal that is not adminOf an organization of another one',
  ]);
});
