import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;

/** Lists whose records have other fields in each answer. */
const changing =
  (fields: (answers: number) => object): Through =>
  (behind) => {
    let answers = 0;
    return async (request) => {
      const answer = await behind(request);
      if (request.method !== 'GET' || !request.path.includes('/data-sources') || answer.status !== 200) return answer;
      answers += 1;
      const { data, pagination } = JSON.parse(Buffer.from(answer.body).toString());
      const records = data.map((record: object) => ({ ...record, ...fields(answers) }));
      return { ...answer, body: Buffer.from(JSON.stringify({ data: records, pagination })) };
    };
  };

/** Another client edits every data source all the time. The edits of a host are not in updatedAt. */
const edited = changing((answers) => ({ host: `host-${answers}`, updatedAt: '2026-01-15T12:00:01Z' }));

/** Another client edits every data source once, when this one first tries to delete one. */
const editedOnce =
  (updatedAt: string | null): Through =>
  (...behind) => {
    let host = 'before';
    const shown = changing(() => ({ host, updatedAt }))(...behind);
    return async (request) => {
      if (request.method === 'DELETE') host = 'after';
      return shown(request);
    };
  };

/** Another client deletes a data source every second from the first deletion on, and deleted ones stay listed with a mark. */
const othersMarked: Through = (behind, clock) => {
  const seen: string[] = [];
  let since: number | undefined;
  return async (request) => {
    if (request.method === 'DELETE') since ??= clock.now();
    const answer = await behind(request);
    if (request.method !== 'GET' || !request.path.includes('/data-sources') || answer.status !== 200) return answer;
    const marked = since === undefined ? 0 : 1 + Math.floor((clock.now() - since) / 1000);
    const { data, pagination } = JSON.parse(Buffer.from(answer.body).toString());
    const records = data.map((record: { readonly id: string }) => {
      if (!seen.includes(record.id)) seen.push(record.id);
      return seen.indexOf(record.id) < marked ? { ...record, deletedAt: '2026-01-15T12:00:00Z' } : record;
    });
    return { ...answer, body: Buffer.from(JSON.stringify({ data: records, pagination })) };
  };
};

test('delete.others-untouched accuses no deployment where others delete data sources that stay listed', async () => {
  expect(await saidBy('delete.others-untouched', { through: othersMarked })).toEqual([
    expect.stringMatching(/^blocked: the list of \S+ changes while this run does not change it/),
  ]);
});

/** A synchronisation fails again and again. */
const synchronised = changing((answers) => ({ syncErrorMessage: `attempt ${answers} failed` }));

test.each(['access.denied-no-effect/deleteDataSource', 'access.denied-no-effect/deleteDataSource/at-last'])(
  '%s judges data sources that are synchronised meanwhile',
  async (id) => {
    expect(await saidBy(id, { through: synchronised })).toEqual([]);
  },
);

/** Every record shows which node answered. */
const signed = changing((answers) => ({ servedBy: `node-${answers}` }));

const ids = ['delete.others-untouched', 'auth.no-effect/deleteDataSource', 'access.denied-no-effect/deleteDataSource'];

test.each(ids)('%s accuses no deployment whose data sources others edit', async (id) => {
  expect(await saidBy(id, { through: edited })).toEqual([
    expect.stringMatching(/^blocked: the list of \S+ changes while this run does not change it/),
  ]);
});

test.each(ids.flatMap((id) => [[id, null] as const, [id, '2026-01-15T00:00:00Z'] as const]))(
  '%s accuses no deployment whose data sources others edit once, where updatedAt is %j',
  async (id, updatedAt) => {
    expect(await saidBy(id, { through: editedOnce(updatedAt) })).toEqual([]);
  },
);

/** Data sources are listed once, and then refused for longer than a run waits. */
const limited: Through = (behind) => {
  const listed = new Set<string>();
  return async (request) => {
    if (request.method !== 'GET' || !request.path.includes('/data-sources')) return behind(request);
    if (listed.has(request.path)) return errorAnswer(429, { 'retry-after': '400' });
    listed.add(request.path);
    return behind(request);
  };
};

test('a deletion that cannot be prepared is blocked for the reason of that', async () => {
  expect(await saidBy('delete.record', { through: limited })).toEqual([
    expect.stringMatching(/^blocked: rate limited/),
  ]);
});

test('a race for a data source whose fields change by themselves is blocked for that', async () => {
  expect(await saidBy('delete.gone-or-marked/at-once', { through: signed })).toEqual([
    expect.stringMatching(/^blocked: \S+ is listed with another servedBy although nothing deleted it$/),
  ]);
});

test('a time that each answer writes with another offset hides no change', async () => {
  const choices = { timestamps: 'another-offset-each-time' };
  for (const [fault, id] of [
    ['another-deleted-later', 'delete.others-untouched/sources-at-last'],
    ['denied-deletion-happens', 'access.denied-no-effect/deleteDataSource'],
  ] as const)
    expect(await saidBy(id, { faults: [fault], choices }), fault).toEqual([expect.stringMatching(/^failed: /)]);
});

/** Another client deletes the only data source of an organization right after this run deletes one elsewhere, and the cleanup job its models. */
const lastOneDeleted: Through = (behind, clock, { principals }) => {
  const key = principals.find(({ adminOf }) => adminOf.includes('org_small'))?.key;
  const path = '/api/public/organizations/org_small/data-sources';
  const sent = { headers: { authorization: `Bearer ${key}` }, timeoutMs: 1000 };
  const remove = (id: string) => behind({ ...sent, method: 'DELETE', path: `${path}/${encodeURIComponent(id)}` });
  let ids: readonly string[] | undefined;
  let isDeleted = false;
  return async (request) => {
    if (ids === undefined) {
      const { body } = await behind({ ...sent, method: 'GET', path });
      ids = JSON.parse(Buffer.from(body).toString()).data.map(({ id }: { readonly id: string }) => id);
      for (const id of ids?.slice(1) ?? []) await remove(id);
      await clock.sleep(60_000);
    }
    const answer = await behind(request);
    if (request.method !== 'DELETE' || answer.status >= 300 || isDeleted) return answer;
    isDeleted = true;
    await remove(ids?.[0] ?? '');
    return answer;
  };
};

test('delete.others-untouched accuses no deployment where others delete the only data source of many models', async () => {
  expect(await saidBy('delete.others-untouched/models-at-last', { through: lastOneDeleted })).toEqual([
    expect.stringMatching(/^blocked: items were lost since the deletion, and none with other deletions/),
  ]);
});
