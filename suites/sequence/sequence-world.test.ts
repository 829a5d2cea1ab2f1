import { expect, test } from 'vitest';
import type { HttpRequest } from '../../core/http.ts';
import type { SideEffect, Target } from '../../core/target.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { openWorld, withBody, withRecords } from '../../testing/sequence-world.ts';
import { changesOf } from './sequence-world.ts';

const allowing =
  (...effects: readonly SideEffect[]) =>
  (target: Target): Target => ({ ...target, allow: new Set(effects) });

test.each([
  [[], 0, 0, false],
  [['deletions'], 2, 0, false],
  [['messages'], 0, 2, false],
  [['attachments'], 0, 0, true],
] as const)('what a sequence may do, where only %j is allowed', async (effects, deletable, chats, isAttached) => {
  const { world } = await openWorld(undefined, allowing(...effects));
  expect(world.deletable).toHaveLength(deletable);
  expect(world.chats).toHaveLength(chats);
  expect(world.account !== undefined).toBe(isAttached);
  expect(world.attachable).toHaveLength(isAttached ? 2 : 0);
  expect(changesOf(world).map((change) => change.do)).toEqual([
    ...world.attachable.map(() => 'attach'),
    ...world.deletable.map(() => 'delete'),
  ]);
  expect(world.changed).toBe(0);
  expect(world.deleted).toEqual([]);
});

test('a sequence counts from what the account shows, and attaches what was not attached', async () => {
  const { world } = await openWorld();
  const { attached = [], count = 0, attachable } = world.account ?? {};
  expect(attached.length).toBeGreaterThan(0);
  expect(count).toBeGreaterThanOrEqual(attached.length);
  expect(world.attachable.filter(({ organizationId }) => attached.includes(organizationId))).toEqual([]);
  for (const one of world.attachable) expect(one.billingAccountId).toBe(attachable?.billingAccountId);
});

test('without organizationCount, nothing is counted', async () => {
  const { world } = await openWorld(
    withBody((body, { path }) => {
      if (!path.includes('/billing-accounts/')) return body;
      const { organizationCount: _count, ...data } = Object(body.data);
      return { ...body, data };
    }),
  );
  expect(world.account).toBeUndefined();
  expect(world.attachable).toEqual([]);
});

test('the lists are those of the organization where things are deleted, as every admin reads them', async () => {
  const { world, target } = await openWorld();
  const [first] = world.deletable;
  for (const list of ['listDataSources', 'listModels'] as const) {
    const { organizationId, admins, items } = world.lists[list];
    expect(organizationId).toBe(first?.organizationId);
    expect(admins.toSorted((one, other) => one.name.localeCompare(other.name))).toEqual(
      target.principals
        .filter(({ adminOf }) => adminOf.includes(organizationId))
        .toSorted((one, other) => one.name.localeCompare(other.name)),
    );
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  }
});

test('an admin who cannot read a list does not read it in a sequence', async () => {
  const { world: usual } = await openWorld();
  const [first, second, ...others] = usual.lists.listModels.admins;
  expect(second).toBeDefined();
  const { world } = await openWorld(async (request, behind) =>
    request.headers['authorization'] === `Bearer ${second?.key}` ? errorAnswer(403) : behind(request),
  );
  expect(world.lists.listModels.admins.map(({ name }) => name)).toEqual([first, ...others].map((one) => one?.name));
});

test('where the organization of the deletions lists one thing alone, the longest list is read', async () => {
  const { world: usual } = await openWorld();
  const { organizationId } = usual.lists.listModels;
  const { world } = await openWorld(
    withRecords((records, { path }) =>
      path.includes(`/${organizationId}/models`) ? records.slice(0, path.includes('cursor') ? 0 : 1) : records,
    ),
    ({ organizations, ...target }) => ({
      ...target,
      organizations: organizations.map((one) => (one.id === organizationId ? one : { ...one, chats: [] })),
    }),
  );
  expect(world.lists.listModels.organizationId).not.toBe(organizationId);
  expect(world.lists.listModels.items.length).toBeGreaterThan(1);
});

test('what may leave a list are data sources that may be deleted, models over them, and models that are related to those', async () => {
  const { world, target } = await openWorld();
  const disposables = new Set(target.organizations.flatMap(({ disposableDataSources }) => disposableDataSources));
  const { listDataSources: sources, listModels: models } = world.lists;
  for (const { id, mayLack } of sources.items) expect(mayLack).toBe(disposables.has(id));
  expect(models.items.some(({ mayLack }) => mayLack)).toBe(true);
  expect(models.items.some(({ mayLack }) => !mayLack)).toBe(true);
});

test.each([
  ['one over a disposable data source', true],
  ['another one', false],
] as const)('whether a model that is related to %s may leave the list: %s', async (_what, mayLack) => {
  const { world: usual, target } = await openWorld();
  const disposables = target.organizations.flatMap(({ disposableDataSources }) => disposableDataSources);
  const other = usual.lists.listModels.items.find((one) => !one.mayLack)?.id;
  const { world } = await openWorld(
    withRecords((records) => {
      const over = records.find((one) => disposables.includes(String(one['databaseConnectionId'])))?.['id'];
      const relationships = [{ targetModelId: mayLack ? over : 'elsewhere' }];
      return records.map((one) => (one['id'] === other ? { ...one, relationships } : one));
    }),
  );
  expect(world.lists.listModels.items.find(({ id }) => id === other)?.mayLack).toBe(mayLack);
});

test('one chat is enough, and without a key none is used', async () => {
  const { world } = await openWorld(undefined, ({ organizations, ...target }) => ({
    ...target,
    organizations: organizations.map((one, index) => ({ ...one, chats: index === 0 ? one.chats.slice(0, 1) : [] })),
  }));
  expect(world.chats).toHaveLength(1);
  const { world: keyless } = await openWorld(
    (request, behind) => {
      const { 'idempotency-key': _key, ...headers } = request.headers;
      return behind({ ...request, headers });
    },
    ({ idempotencyHeader: _header, ...target }) => target,
  );
  expect(keyless.chats).toEqual([]);
});

test('the chats are a pair of the organization where things are deleted', async () => {
  const { world } = await openWorld();
  const [first] = world.deletable;
  expect(world.chats.map(({ organizationId }) => organizationId)).toEqual([
    first?.organizationId,
    first?.organizationId,
  ]);
});

test('where no list can be read, there is no sequence', async () => {
  await expect(
    openWorld(
      async (request, behind) =>
        /models|data-sources/.test(request.path) && request.method === 'GET' ? errorAnswer(403) : behind(request),
      allowing('messages'),
    ),
  ).rejects.toThrow('gave no readable page');
});

test('a copy of the account that lags behind what another one showed is not counted from', async () => {
  const isAccount = ({ method, path }: HttpRequest) => method === 'GET' && path.includes('/billing-accounts/');
  let reads = 0;
  const { world: usual } = await openWorld((request, behind) => {
    if (isAccount(request)) reads += 1;
    return behind(request);
  });
  let read = 0;
  const { world } = await openWorld(
    withBody((body, request) => {
      if (isAccount(request)) read += 1;
      const isStale = isAccount(request) && read === reads;
      return isStale ? { ...body, data: { ...Object(body.data), organizationCount: 1 } } : body;
    }),
  );
  expect(read).toBeGreaterThan(reads);
  expect(world.account?.count).toBe(usual.account?.count);
});
