import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import type { Deployment } from '../core/http.ts';
import { Api, as } from '../engine/api.ts';
import { createSession } from '../engine/session/session.ts';
import { createReference } from '../reference/reference.ts';
import { mistyped } from './existence.ts';

const notFound = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"error":{"title":"NotFound","detail":"It is not here."}}'),
};

/** What is said of the organization that owns the first billing account where these paths are not found. */
async function saidWhere(isMissing: (path: string, organizationId: string) => boolean): Promise<string | undefined> {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const id = target.billingAccounts[0]?.owner ?? '';
  const admin = target.principals.find(({ adminOf }) => adminOf.includes(id));
  if (admin === undefined) throw new Error('the reference has an account with an admin');
  const partly: Deployment = async (request) => (isMissing(request.path, id) ? notFound : deployment(request));
  const api = new Api(createSession({ deployment: partly, target, clock, seed: 1, invariants: [] }), 'test');
  return mistyped(api, { kind: 'organization', id, ownerId: id }, admin, await api.listModels(as(admin), id));
}

const isModels = (path: string) => path.includes('/models');
const isOfOrganization = (path: string, id: string) => path.includes(`/organizations/${id}/`);

test('a declared ID is doubted only where nothing shows that it exists', async () => {
  expect(await saidWhere(isModels)).toBeUndefined(); // Its data sources can be listed.
  expect(await saidWhere(isOfOrganization)).toBeUndefined(); // A billing account names it as its owner.
  expect(await saidWhere(() => true)).toContain('is the ID right?');
  expect(await saidWhere(() => false)).toBeUndefined();
});
