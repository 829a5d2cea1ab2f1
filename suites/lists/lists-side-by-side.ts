import { type Api, as, type Query } from '../../engine/api.ts';
import { eachAtOnce } from '../../engine/at-once.ts';
import { check, type Check } from '../../engine/check.ts';
import { shared } from '../../engine/fixture.ts';
import type { Item, Page } from '../../core/page.ts';
import { type ListOperation, listOperations, readPage } from '../../core/page.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenLists, givenLongestList, type ListFixture } from '../../stage/lists/lists.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { givenFilterCases, walkFiltered } from '../models/model-filters.ts';
import { mustAgree } from './list-agreement.ts';

/** A page to ask for, and what the first walk showed there; `whole` is the query of that walk. */
type Asked = {
  readonly list: ListFixture;
  readonly query: Query;
  readonly expected: readonly Item[];
  readonly whole?: Query;
};

/** Each page has another limit, because code may keep it where requests at the same instant share it. */
const limits = {
  listModels: { first: 2, second: 3, elsewhere: 4 },
  listDataSources: { first: 1, second: 5, elsewhere: 6 },
} as const;

/** Pages of one reader that went out at the same instant; answers that are no page are left out. */
const givenTogether = shared(async (api: Api): Promise<readonly (Asked & { readonly page: Page })[]> => {
  const asked: Asked[] = [];
  for (const list of listOperations) asked.push(...((await unlessBlocked(() => pagesOf(api, list))) ?? []));
  const answers = await eachAtOnce(asked, async (one, gate) => {
    const { list: operation, admin, organizationId } = one.list;
    const answer =
      operation === 'listModels'
        ? await api.listModels(as(admin), organizationId, one.query, { gate })
        : await api.listDataSources(as(admin), organizationId, one.query, { gate });
    const page = readPage(answer);
    return page === undefined ? [] : [{ ...one, page }];
  });
  return answers.flat();
});

/**
 * Of the longest list of models, a page with a filter, if a data source has several models, and one after a cursor. Of the longest list
 * of data sources, two first pages. And a page of another organization of the same admin, if there is one.
 */
async function pagesOf(api: Api, list: ListOperation): Promise<readonly Asked[]> {
  const { first, second, elsewhere } = limits[list];
  const longest = await givenLongestList(api, list, 3);
  const { items } = longest.walk;
  const others = (await givenLists(api, list)).filter((one) => one !== longest && one.admin === longest.admin);
  const [other] = others.filter(({ walk }) => walk.items.length > 0);
  const filtered = list === 'listModels' ? await unlessBlocked(() => filteredPage(api, longest)) : undefined;
  return [
    filtered ?? { list: longest, query: { limit: first }, expected: items.slice(0, first) },
    list === 'listModels'
      ? { list: longest, query: { limit: second, cursor: items[1]?.id ?? '' }, expected: items.slice(2, 2 + second) }
      : { list: longest, query: { limit: second }, expected: items.slice(0, second) },
    ...(other === undefined
      ? []
      : [{ list: other, query: { limit: elsewhere }, expected: other.walk.items.slice(0, elsewhere) }]),
  ];
}

/** A page of the data source with the most models; undefined if none has several, or if the whole list begins with them. */
async function filteredPage(api: Api, list: ListFixture): Promise<Asked | undefined> {
  const newest = list.walk.items[0]?.id;
  const telling = (await givenFilterCases(api)).filter(
    (one) => one.list === list && one.models.length > 1 && one.models[0]?.id !== newest,
  );
  const [fullest] = telling.toSorted((one, other) => other.models.length - one.models.length);
  if (fullest === undefined) return undefined;
  const filter = { databaseConnectionId: fullest.sourceId };
  const walk = await walkFiltered(api, fullest, 100);
  return {
    list: { ...list, walk },
    query: { ...filter, limit: limits.listModels.first },
    expected: walk.items.slice(0, limits.listModels.first),
    whole: { ...filter, limit: 100 },
  };
}

/** Sections 4.1 and 4.5: what a page shows does not depend on other requests of the same reader at the same instant. */
export const listsSideBySide: readonly Check[] = listOperations.map((list) =>
  check('paging.walk', { on: list, variant: 'side-by-side', extended: true }, async (api) => {
    const pages = (await givenTogether(api)).filter((one) => one.list.list === list);
    if (pages.length === 0) throw new Blocked('no page was read beside others: needs an organization with 3 items');
    for (const { list: fixture, query, expected, whole, page } of pages) {
      const { limit, cursor } = query;
      const after = cursor === undefined ? '' : ' after a cursor';
      const where = `beside other requests, with limit=${limit}${after}${whole === undefined ? '' : ' and a filter'}`;
      await mustAgree(api, fixture, page, expected, where, whole);
    }
  }),
);
