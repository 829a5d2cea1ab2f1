import { expect, test } from 'vitest';
import type { Deployment } from '../../core/http.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

type Model = Readonly<Record<string, unknown>>;

type Asked = {
  readonly models: readonly Model[];
  readonly hasMore: boolean;
  readonly status: number;
  readonly filter: string | null;
  readonly cursor: string | null;
};

type Other = { readonly models?: readonly Model[]; readonly hasMore?: boolean; readonly status?: number };

/** Lists of models that are answered in another way. */
const answering =
  (made: (asked: Asked) => Other) =>
  (behind: Deployment): Deployment =>
  async (request) => {
    const answer = await behind(request);
    const { pathname, searchParams } = new URL(request.path, 'http://x.invalid');
    if (request.method !== 'GET' || !pathname.endsWith('/models')) return answer;
    const { data = [], pagination = { hasMore: false, nextCursor: null } } = JSON.parse(
      Buffer.from(answer.body).toString(),
    );
    const asked = { models: data, hasMore: pagination.hasMore, status: answer.status };
    const query = { filter: searchParams.get('databaseConnectionId'), cursor: searchParams.get('cursor') };
    const { models = data, hasMore = pagination.hasMore, status = answer.status } = made({ ...asked, ...query });
    if (status >= 400) return status === answer.status ? answer : errorAnswer(status);
    const body = { data: models, pagination: { ...pagination, hasMore } };
    return { ...answer, status, body: Buffer.from(JSON.stringify(body)) };
  };

const filtered =
  (made: (models: readonly Model[], filter: string) => Other) =>
  ({ models, status, filter }: Asked): Other =>
    filter === null || status !== 200 ? {} : made(models, filter);

const unknown =
  (status: number, holds: (asked: Asked) => boolean) =>
  (asked: Asked): Other =>
    asked.status >= 400 && holds(asked) ? { status } : {};

const isFilter = ({ filter }: Asked): boolean => filter !== null;
const isNoFilter = ({ filter }: Asked): boolean => filter === null;

const drop = filtered((models) => ({ models: models.slice(1) }));
const strange = filtered((models) => ({
  models: models.map((one, place) => (place === 0 ? { ...one, databaseConnectionId: 'other' } : one)),
}));
const extra = filtered((models, filter) => ({ models: [...models, { ...models[0], id: `extra-${filter}` }] }));
const same = filtered((models, filter) => ({ models: [...models, { id: 'same', databaseConnectionId: filter }] }));
const none = filtered(() => ({ models: [] }));
const reversed = filtered((models) => ({ models: models.toReversed() }));
const more = filtered(() => ({ hasMore: true }));
const noMore = filtered(() => ({ hasMore: false }));
const refused = ({ filter }: Asked): Other => (filter === null ? {} : { status: 400 });

test.each([
  ['models.filter', 'lacks a model', drop, 'failed: expected filtered by .*, all its 55 models; got .* missing'],
  [
    'models.filter',
    'shows a model of another data source',
    strange,
    'failed: expected databaseConnectionId .*; got "other"',
  ],
  ['models.filter', 'shows a model on every page', extra, 'failed: expected each item once in a walk under a filter'],
  ['models.filter', 'is empty', none, 'failed: expected filtered by .* missing'],
  ['models.filter', 'says that nothing follows', noMore, 'failed: expected filtered by .*, all its 55 models'],
  ['models.filter', 'is refused', refused, 'failed: expected 2xx filtered by .*, a data source of org_main; got 400'],
  [
    'models.filter-partition',
    'lacks a model',
    drop,
    'failed: expected each model under its data source; got .* missing',
  ],
  [
    'models.filter-partition',
    'shows a model that no list shows',
    extra,
    'failed: expected only models that the whole list shows',
  ],
  [
    'models.filter-partition',
    'shows a model of all data sources',
    same,
    'failed: expected (each model under one data source|only models)',
  ],
  ['models.filter-partition', 'is refused', refused, 'failed: expected 2xx filtered by .*; got 400'],
  [
    'paging.limit/listModels/filtered',
    'is too short',
    drop,
    'failed: expected with limit=19 and more items left, a page of 19',
  ],
  [
    'paging.limit/listModels/filtered',
    'is too long',
    extra,
    'failed: expected with limit=19, a page of at most 19; got 20',
  ],
  [
    'paging.default-limit/listModels/filtered',
    'is too short',
    drop,
    'failed: expected without limit and more items left',
  ],
  [
    'paging.default-limit/listModels/filtered',
    'is too long',
    extra,
    'failed: expected without limit, a page of at most 50',
  ],
  [
    'paging.default-limit/listModels/filtered',
    'is refused',
    refused,
    'blocked: listModels of org_main gave no readable page',
  ],
  [
    'paging.has-more/listModels/filtered',
    'says that more follow',
    more,
    'failed: expected .* nothing after the page, hasMore false',
  ],
  [
    'paging.cursor-null/listModels/filtered',
    'says that more follow',
    more,
    'failed: expected nextCursor a string with hasMore',
  ],
  [
    'paging.cursor-is-last-id/listModels/filtered',
    'is reversed',
    reversed,
    'failed: expected nextCursor .*, the ID of the last',
  ],
  [
    'paging.walk/listModels/filtered',
    'lacks a model',
    drop,
    'failed: expected with a filter and limit=1, .* 1 item; got 0',
  ],
  [
    'paging.walk/listModels/filtered',
    'is too long',
    extra,
    'failed: expected with a filter and limit=1, .* 1 item; got 2',
  ],
  ['paging.newest-first/listModels/filtered', 'is reversed', reversed, 'failed: expected the newest first'],
  [
    'models.unknown-data-source',
    'of an unknown one is empty',
    unknown(200, isFilter),
    'failed: expected 404 filtered by a data source that does not exist; got 200',
  ],
  [
    'models.unknown-data-source',
    'of an unknown one is answered 400',
    unknown(400, isFilter),
    'failed: expected 404 .*; got 400',
  ],
  [
    'models.unknown-data-source',
    'of an unknown one is empty behind a cursor',
    unknown(200, ({ filter, cursor }) => filter !== null && cursor !== null),
    'failed: expected no 2xx with a cursor, filtered',
  ],
  ['models.unknown-data-source', 'is refused', refused, 'blocked: listModels of org_main gave no readable page: 400'],
  [
    'models.unknown-organization',
    'of an unknown organization is empty',
    unknown(200, isNoFilter),
    'failed: expected 404 for an organization that does not exist; got 200',
  ],
  [
    'models.unknown-organization',
    'of an unknown organization is answered 403',
    unknown(403, isNoFilter),
    'failed: expected 404 .*; got 403',
  ],
  ['models.unknown-organization', 'with a filter is refused', refused, undefined],
] as const)('%s, where a list of models %s', async (id, _what, made, said) => {
  expect(await saidBy(id, { through: answering(made) })).toEqual(
    said === undefined ? [] : [expect.stringMatching(new RegExp(`^${said}`))],
  );
});

test('an unknown ID that happens to be known once is another one the second time', async () => {
  for (const id of ['models.unknown-organization', 'models.unknown-data-source']) {
    let isFirst = true;
    const once = ({ status }: Asked): Other => {
      if (status < 400 || !isFirst) return {};
      isFirst = false;
      return { status: 200 };
    };
    expect(await saidBy(id, { through: answering(once) })).toEqual([]);
  }
});

test('a filter by a data source that another client deletes meanwhile and that stays listed may be refused', async () => {
  const filters = new Set<string | null>();
  const through =
    (behind: Deployment): Deployment =>
    async (request) => {
      const answer = await answering(({ filter }) => (filter === null ? {} : { status: 404 }))(behind)(request);
      const { pathname, searchParams } = new URL(request.path, 'http://x.invalid');
      filters.add(searchParams.get('databaseConnectionId'));
      if (!pathname.endsWith('/data-sources') || answer.status !== 200) return answer;
      const { data, pagination } = JSON.parse(Buffer.from(answer.body).toString());
      const records = data.map((record: { readonly id: string }) =>
        filters.has(record.id) ? { ...record, deletedAt: '2026-01-15T12:00:00Z' } : record,
      );
      return { ...answer, body: Buffer.from(JSON.stringify({ data: records, pagination })) };
    };
  expect((await saidBy('models.filter', { through })).filter((said) => !said.startsWith('blocked'))).toEqual([]);
});

/** A deployment that does not decode escapes in a cursor unless they are needed. */
const keepingEscapes =
  (behind: Deployment): Deployment =>
  async (request) =>
    /[?&]cursor=[^&]*%(?:3[0-9]|[46][1-9A-F]|[57][0-9A])/.test(request.path) ? errorAnswer(400) : behind(request);

test('a cursor whose escapes are not decoded is another one', async () => {
  const [said] = await saidBy('models.filter/escaped', { through: keepingEscapes });
  expect(said).toContain('with its characters percent-encoded; got 400');
  expect(await saidBy('models.filter/escaped', {})).toEqual([]);
});
