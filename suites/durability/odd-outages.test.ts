import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;
type Model = Readonly<Record<string, unknown>>;

type Altered = {
  /** The first of two models after a cursor, at first. */
  readonly before?: (model: Model, deleted: string) => Model;
  /** Both, when they are asked for again. */
  readonly after?: (first: Model, second: Model) => readonly Model[] | undefined;
  /** Another client goes on deleting models then. */
  readonly isRestless?: boolean;
};

const altering =
  ({ before = (model) => model, after = (...models) => models, isRestless = false }: Altered): Through =>
  (behind) => {
    const asked = new Set<string>();
    let deleted = '';
    let gone = 0;
    let isOver = false;
    return async (request) => {
      const { method, path } = request;
      const answer = await behind(request);
      if (method === 'DELETE') deleted = path.split('/').at(-1) ?? '';
      if (!path.includes('/models') || answer.status !== 200) return answer;
      const { data, pagination } = JSON.parse(Buffer.from(answer.body).toString());
      const query = new URL(path, 'http://x.invalid').searchParams;
      const isAfterCursor = query.get('limit') === '2' && query.get('cursor') !== null;
      const [first, ...rest] = data;
      const altered = !isAfterCursor
        ? data.slice(gone)
        : asked.has(path)
          ? after(first, rest[0])
          : [before(first, deleted), ...rest];
      isOver ||= asked.has(path);
      if (isOver && isRestless) gone += 1;
      if (isAfterCursor) asked.add(path);
      return { ...answer, body: Buffer.from(JSON.stringify({ data: altered, pagination })) };
    };
  };

const overDeleted = (model: Model, deleted: string): Model => ({ ...model, databaseConnectionId: deleted });
const sourceless = ({ databaseConnectionId: _source, ...model }: Model): Model => model;
const another = (first: Model, second: Model): readonly Model[] => [{ ...first, id: 'another' }, second];
const second = (_first: Model, other: Model): readonly Model[] => [other];
const secondAndThird = (first: Model, other: Model): readonly Model[] => [other, { ...first, id: 'third' }];
const violated = [/^failed: expected .* for the same cursor after its clock was moved back; got /];

test.each([
  ['the first is gone with its data source, which this run deleted', { before: overDeleted, after: second }, []],
  ['another one follows those that are left', { before: overDeleted, after: secondAndThird }, []],
  ['the first is gone', { after: second }, violated],
  ['the first is gone, as others are', { after: second, isRestless: true }, [/^blocked: /]],
  ['others go on disappearing', { isRestless: true }, []],
  ['the first is gone and names no data source', { before: sourceless, after: second }, violated],
  ['the first is another one', { after: another }, violated],
  ['there is no list of models', { after: () => undefined }, violated],
] as const)('models after a cursor, before an outage and after it: %s', async (_what, altered, said) => {
  const other = ['delete.gone-or-marked/clock'];
  expect(
    await saidBy('paging.any-id-is-cursor/listModels/clock', { through: altering(altered), after: other }),
  ).toEqual(said.map((one) => expect.stringMatching(one)));
});

test('a cursor that is refused after an outage is a violation', async () => {
  let asked = 0;
  const through: Through = (behind) => async (request) => {
    if (!/models\?.*(limit=2&cursor|cursor=.*limit=2)/.test(request.path)) return behind(request);
    asked += 1;
    return asked === 1 ? behind(request) : errorAnswer(400);
  };
  expect(await saidBy('paging.any-id-is-cursor/listModels/clock', { through })).toEqual([
    expect.stringMatching(/^failed: expected 2xx for a cursor after its clock was moved back/),
  ]);
});

test('a list whose models are gone before an outage is said to have too few', async () => {
  const empty = { data: [], pagination: { nextCursor: null, hasMore: false } };
  const through: Through = (behind) => async (request) => {
    const answer = await behind(request);
    return request.path.endsWith('models?limit=1') ? { ...answer, body: Buffer.from(JSON.stringify(empty)) } : answer;
  };
  expect(await saidBy('paging.any-id-is-cursor/listModels/clock', { through })).toEqual([
    expect.stringMatching(/^blocked: a page of one model ends the list of \S+: add models of data sources/),
  ]);
});

test('a count that rose over an outage is no lost attachment: another client may have attached one', async () => {
  let isAfterLists = false;
  const through: Through = (behind) => async (request) => {
    const answer = await behind(request);
    // The lists are read last before the outage.
    isAfterLists ||= request.path.includes('limit=2&cursor=');
    if (!isAfterLists || !request.path.includes('/billing-accounts/')) return answer;
    const counted = (name: string, value: unknown) => (name === 'organizationCount' ? Number(value) + 1 : value);
    return { ...answer, body: Buffer.from(JSON.stringify(JSON.parse(Buffer.from(answer.body).toString(), counted))) };
  };
  const [said, ...more] = await saidBy('durability.attachments', { through });
  expect([said, more]).toEqual([expect.stringMatching(/^blocked: .* another client attached/), []]);
});
