import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { Deployment, HttpRequest, HttpResponse } from '../../core/http.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import type { TrialOptions } from '../../proof/trial.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { runChecks } from '../../testing/run-checks.ts';
import { saidBy } from '../../testing/said-by.ts';
import { suites } from '../index.ts';

type Listed = { readonly id: string };
type Created = Listed & { readonly createdAt: string };
type Filtered = Listed & { readonly databaseConnectionId: string };
type Body = { readonly data: readonly Listed[] };

function bodyOf({ body }: HttpResponse): Body {
  return JSON.parse(Buffer.from(body).toString());
}

function queryOf({ path }: HttpRequest): URLSearchParams {
  return new URL(path, 'http://reference.invalid').searchParams;
}

test('a data source that another client removes is not missed under its filter, although its models stay', async () => {
  let gone: string | undefined;
  const through =
    (behind: Deployment): Deployment =>
    async (request) => {
      const filter = queryOf(request).get('databaseConnectionId');
      gone ??= filter ?? undefined;
      if (filter !== null && filter === gone) return errorAnswer(404);
      const answer = await behind(request);
      if (gone === undefined || answer.status !== 200 || !request.path.includes('/data-sources')) return answer;
      const body = bodyOf(answer);
      return {
        ...answer,
        body: Buffer.from(JSON.stringify({ ...body, data: body.data.filter(({ id }) => id !== gone) })),
      };
    };
  expect(await saidBy('models.filter', { through })).toEqual([]);
});

test('what follows a cursor of another filter is observed', async () => {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  await runChecks(
    suites.filter(({ id }) => id === 'paging.unknown-cursor/listModels'),
    session,
  );
  const seen = session.observations().filter(({ point }) => point === 'paging.cursor-under-filter');
  expect(seen.map(({ value }) => value)).toEqual(['what follows it']);
});

test.each([400, 403, 414, 502])('a gateway may answer an odd cursor with a page of status %i', async (status) => {
  const through =
    (behind: Deployment): Deployment =>
    async (request) => {
      const cursor = queryOf(request).get('cursor') ?? '';
      const isOdd = cursor.length > 255 || cursor.includes('\0');
      const page = { status, headers: { 'content-type': 'text/html' }, body: Buffer.from('<h1>Refused</h1>') };
      return isOdd ? page : behind(request);
    };
  for (const list of ['listModels', 'listDataSources'])
    expect(await saidBy(`paging.unknown-cursor/${list}`, { through })).toEqual([]);
  expect(await saidBy('errors.body', { through, after: ['paging.unknown-cursor/listModels'] })).toEqual([]);
});

test('an item that has the creation time of the cursor is not skipped, wherever it is', async () => {
  const place = 20;
  let tied: readonly Created[] = [];
  const through =
    (behind: Deployment): Deployment =>
    async (request) => {
      if (!request.path.includes('/org_main/models?')) return behind(request);
      const [cursor, next] = tied;
      const isAtCursor = cursor !== undefined && queryOf(request).get('cursor') === cursor.id;
      const path = isAtCursor ? request.path.replace(cursor.id, next?.id ?? '') : request.path;
      const answer = await behind({ ...request, path });
      if (answer.status !== 200) return answer;
      const body: { readonly data: readonly Created[] } = JSON.parse(Buffer.from(answer.body).toString());
      if (tied.length === 0) tied = body.data.slice(place, place + 2);
      const data = body.data.map((one) => (one.id === tied[1]?.id ? { ...one, createdAt: tied[0]?.createdAt } : one));
      return { ...answer, body: Buffer.from(JSON.stringify({ ...body, data })) };
    };
  const said = await saidBy('paging.any-id-is-cursor/listModels', { through, choices: { 'created-at': 'distinct' } });
  expect(said).toEqual([expect.stringMatching(/^failed: expected after item 21 of/)]);
});

test('of a list that is too long to be read, the items before its end are cursors', async () => {
  const total = 2300;
  const through =
    (behind: Deployment): Deployment =>
    async (request) => {
      if (!request.path.includes('/org_main/models?')) return behind(request);
      const query = queryOf(request);
      const answer = await behind({ ...request, path: request.path.replace(/&?cursor=\w+/, '') });
      if (answer.status !== 200) return answer;
      const first = 1 + Number(query.get('cursor') ?? 0);
      const last = Math.min(total, first - 1 + Number(query.get('limit')));
      const data = Array.from({ length: last - first + 1 }, (_, index) => ({ id: String(first + index) }));
      const pagination = { hasMore: last < total, nextCursor: last < total ? String(last) : null };
      return { ...answer, body: Buffer.from(JSON.stringify({ data, pagination })) };
    };
  expect(await saidBy('paging.any-id-is-cursor/listModels', { through })).toEqual([]);
});

test('a record that is not in the walk is not compared', async () => {
  const through =
    (behind: Deployment): Deployment =>
    async (request) => {
      const answer = await behind(request);
      if (!request.path.endsWith('/models')) return answer;
      const body = bodyOf(answer);
      const data = body.data.map((model, index) => (index === 0 ? { ...model, id: 'new' } : model));
      return { ...answer, body: Buffer.from(JSON.stringify({ ...body, data })) };
    };
  expect(await saidBy('paging.same-records/listModels', { through })).toEqual([]);
});

test.each(['paging.limit/listModels', 'paging.limit/listDataSources'])(
  '%s is judged where another admin is declared wrongly',
  async (id) => {
    const through: NonNullable<TrialOptions['through']> = (behind, _clock, { principals }) => {
      const [first] = principals;
      return (request) =>
        request.method === 'GET' && !request.headers['authorization']?.endsWith(` ${first?.key}`)
          ? Promise.resolve(errorAnswer(404))
          : behind(request);
    };
    expect(await saidBy(id, { through })).toEqual([]);
  },
);

test.each([
  ['an empty page before all models', [], null, []],
  ['an empty page with a cursor', [], 'x', [expect.stringMatching(/^failed: expected nextCursor/)]],
  [
    'a page of one model without a cursor',
    [{ id: 'x' }],
    null,
    [expect.stringMatching(/^failed: expected nextCursor/)],
  ],
] as const)('a limit of 0 gives %s', async (_what, data, nextCursor, said) => {
  const hasMore = nextCursor === null;
  const through =
    (behind: Deployment): Deployment =>
    async (request) => {
      const answer = await behind(request);
      if (!request.path.endsWith('/models?limit=0')) return answer;
      const body = Buffer.from(JSON.stringify({ data, pagination: { hasMore, nextCursor } }));
      return { status: 200, headers: { 'content-type': 'application/json' }, body };
    };
  const after = ['paging.limit-refused/listModels'];
  expect(await saidBy('paging.cursor-null/at-last', { through, after })).toEqual(said);
});

/**
 * Shows all models of the data source with the most up to its last one, and one of each other; and says that more follow where only a
 * filter excludes them.
 */
function countingExcluded(behind: Deployment): Deployment {
  const read = async (request: HttpRequest): Promise<readonly Filtered[]> => {
    const [path] = request.path.split('?');
    return JSON.parse(Buffer.from((await behind({ ...request, path: `${path}?limit=100` })).body).toString()).data;
  };
  return async (request) => {
    const answer = await behind(request);
    if (answer.status !== 200 || !request.path.includes('/models')) return answer;
    const models = await read(request);
    const bySource = Map.groupBy(models, ({ databaseConnectionId }) => databaseConnectionId);
    const [longest] = [...bySource].toSorted(([, one], [, other]) => other.length - one.length);
    const ofMost = new Set(longest?.[1]);
    const shown = models.filter(
      (model) => ofMost.has(model) || bySource.get(model.databaseConnectionId)?.[0] === model,
    );
    const kept = shown.slice(0, shown.findLastIndex((model) => ofMost.has(model)) + 1).map(({ id }) => id);
    const body = JSON.parse(Buffer.from(answer.body).toString());
    const data: readonly Filtered[] = body.data.filter(({ id }: Listed) => kept.includes(id));
    const query = queryOf(request);
    const excluded = query.has('databaseConnectionId') && data.length === Number(query.get('limit'));
    const last = data.at(-1)?.id;
    const hasMore = last !== undefined && last !== kept.at(-1) && (excluded || body.pagination.hasMore);
    const pagination = { ...body.pagination, hasMore, nextCursor: hasMore ? last : null };
    return { ...answer, body: Buffer.from(JSON.stringify({ ...body, data, pagination })) };
  };
}

test('whether items follow is judged with a filter that others follow, although that of most models comes last', async () => {
  const heard = await saidBy('paging.has-more/listModels/filtered', {
    choices: { models: '100' },
    through: countingExcluded,
  });
  expect(heard).toEqual([expect.stringMatching(/^failed: .* nothing after the page, hasMore false; got true/)]);
});

test('an ID that needs escapes is followed in another list, too', async () => {
  let newest: string | undefined;
  const through =
    (behind: Deployment): Deployment =>
    async (request) => {
      if (!/org_other[^/]*\/data-sources/.test(request.path)) return behind(request);
      if (newest !== undefined && queryOf(request).get('cursor') === newest) return errorAnswer(400);
      const answer = await behind(request);
      newest ??= bodyOf(answer).data[0]?.id;
      return answer;
    };
  const said = await saidBy('paging.any-id-is-cursor/listDataSources', { choices: { ids: 'space' }, through });
  expect(said).toEqual([expect.stringMatching(/^failed: .* 400/)]);
});
