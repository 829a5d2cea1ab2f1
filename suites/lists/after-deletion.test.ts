import { expect, test } from 'vitest';
import type { TrialOptions } from '../../proof/trial.ts';
import { errorAnswer } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

type Through = NonNullable<TrialOptions['through']>;
type Body = {
  readonly data: readonly { readonly id: string }[];
  readonly pagination: { readonly hasMore: boolean; readonly nextCursor: string | null };
};

/** A page of data sources that was asked for after the deletion. */
type Asked = {
  readonly body: Body;
  readonly limit: number;
  readonly cursor: string | null;
  /** How often it was asked for before. */
  readonly before: number;
  /** The last two items of the list, the last one first. */
  readonly last: string | undefined;
  readonly lastButOne: string | undefined;
};

/** Pages after the deletion are altered; undefined refuses one. */
const altering =
  (altered: (asked: Asked) => Body | undefined): Through =>
  (behind) => {
    const asked = new Map<string, number>();
    let isDeleted = false;
    let ends: readonly string[] = [];
    return async (request) => {
      const { method, path } = request;
      const answer = await behind(request);
      isDeleted ||= method === 'DELETE' && answer.status < 300;
      if (!isDeleted || !path.includes('/org_main/data-sources') || method !== 'GET') return answer;
      const query = new URL(path, 'http://x.invalid').searchParams;
      const [limit, cursor] = [Number(query.get('limit')), query.get('cursor')];
      const before = asked.get(path) ?? 0;
      asked.set(path, before + 1);
      const body: Body = JSON.parse(Buffer.from(answer.body).toString());
      if (limit === 100 && !body.pagination.hasMore) ends = body.data.map(({ id }) => id).slice(-2);
      const made = altered({ body, limit, cursor, before, last: ends[1], lastButOne: ends[0] });
      return made === undefined ? errorAnswer(400) : { ...answer, body: Buffer.from(JSON.stringify(made)) };
    };
  };

const saying = (hasMore: boolean, { data, pagination }: Body): Body => ({
  data,
  pagination: { nextCursor: pagination.nextCursor ?? data.at(-1)?.id ?? null, hasMore },
});

const isOf = ({ body, limit }: Asked, id: string | undefined): boolean => limit === 1 && body.data[0]?.id === id;
/** Only the page of one item before the place of the deleted one is asked for like this. */
const isBefore = ({ limit, cursor, last, lastButOne, body }: Asked): boolean =>
  limit === 1 && cursor !== null && ![last, lastButOne].includes(body.data[0]?.id) && body.data.length > 0;
/** The page that ends a walk. */
const isEnd = ({ limit, cursor, body }: Asked): boolean => limit === 100 && cursor !== null && body.data.length > 0;

test.each([
  [
    'the page of the last item says that more follow',
    (asked: Asked) => (isOf(asked, asked.last) ? saying(true, asked.body) : asked.body),
    [/^failed: .*near the end/],
  ],
  [
    'it says so once',
    (asked: Asked) => (isOf(asked, asked.last) && asked.before === 0 ? saying(true, asked.body) : asked.body),
    [],
  ],
  [
    'the page before it says that nothing follows',
    (asked: Asked) => (isOf(asked, asked.lastButOne) ? saying(false, asked.body) : asked.body),
    [/^failed: .*near the end/],
  ],
  [
    'pages before the place say that nothing follows',
    (asked: Asked) => (isBefore(asked) ? saying(false, asked.body) : asked.body),
    [/^failed: .*before the place of/],
  ],
  [
    'one says so once',
    (asked: Asked) => (isBefore(asked) && asked.before === 0 ? saying(false, asked.body) : asked.body),
    [],
  ],
  [
    'the last page of each walk is empty',
    (asked: Asked) => (isEnd(asked) ? saying(true, asked.body) : asked.body),
    [/^failed: .*hasMore false on the last page/],
  ],
  [
    'the last page of one walk is empty',
    (asked: Asked) => (isEnd(asked) && asked.before === 0 ? saying(true, asked.body) : asked.body),
    [],
  ],
  [
    'pages near the end are refused',
    (asked: Asked) => (isOf(asked, asked.last) || isOf(asked, asked.lastButOne) ? undefined : asked.body),
    [],
  ],
  ['pages of one item are refused', (asked: Asked) => (asked.limit === 1 ? undefined : asked.body), []],
] as const)('after a deletion, where %s', async (_what, altered, said) => {
  expect(await saidBy('paging.has-more/listDataSources/after-deletion', { through: altering(altered) })).toEqual(
    said.map((one) => expect.stringMatching(one)),
  );
});

const cut = ({ data, pagination }: Body, length: number, hasMore: boolean): Body => ({
  data: data.slice(0, length),
  pagination: { ...pagination, hasMore },
});

test.each([
  [
    'a page of two has one item, and more follow',
    (asked: Asked) => (asked.limit === 2 ? cut(asked.body, 1, true) : asked.body),
    [/^failed: expected a page of 2 .*, with limit=2; got 1$/],
  ],
  [
    'a page of one has none, and more follow',
    (asked: Asked) => (asked.limit === 1 ? cut(asked.body, 0, true) : asked.body),
    [/^failed: expected a page of 1 .*, with limit=1; got 0$/],
  ],
  [
    'a page of two has one item, and nothing follows',
    (asked: Asked) => (asked.limit === 2 ? cut(asked.body, 1, false) : asked.body),
    [],
  ],
  [
    'a page of one has two items',
    (asked: Asked) => (asked.limit === 1 ? { ...asked.body, data: [...asked.body.data, { id: 'more' }] } : asked.body),
    [/^failed: expected a page of 1 .*, with limit=1; got 2$/],
  ],
] as const)('after a deletion, %s', async (_what, altered, said) => {
  expect(await saidBy('paging.limit/listDataSources/after-deletion', { through: altering(altered) })).toEqual(
    said.map((one) => expect.stringMatching(one)),
  );
});

test.each(['gone', 'deleted-at', 'is-deleted', 'gone-after-ten-seconds'])(
  'hasMore near the end, where deleted data sources are: %s',
  async (value) => {
    const choices = { 'deleted-sources': value };
    const id = 'paging.has-more/listDataSources/after-deletion';
    expect(await saidBy(id, { choices, through: altering(({ body }) => body) })).toEqual([]);
    const through = altering((asked) =>
      asked.limit === 1 && !asked.body.pagination.hasMore ? saying(true, asked.body) : asked.body,
    );
    expect(await saidBy(id, { choices, through })).toEqual([expect.stringMatching(/^failed: /)]);
  },
);
