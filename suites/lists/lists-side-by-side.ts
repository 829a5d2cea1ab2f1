import { type Api, as, type Query } from '../../engine/api.ts';
import { atOnce } from '../../engine/at-once.ts';
import { check, type Check } from '../../engine/check.ts';
import { shared } from '../../engine/fixture.ts';
import type { Item, Page } from '../../core/page.ts';
import { type ListOperation, listOperations, readPage } from '../../core/page.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenLists, givenLongestList, type ListFixture } from '../../stage/lists/lists.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { mustAgree } from './list-agreement.ts';

/** A page to ask for, and what the first walk showed there. */
type Asked = { readonly list: ListFixture; readonly query: Query; readonly expected: readonly Item[] };

/** Pages of one reader that went out at the same instant; answers that are no page are left out. */
const givenTogether = shared(async (api: Api): Promise<readonly (Asked & { readonly page: Page })[]> => {
  const asked: Asked[] = [];
  for (const list of listOperations) asked.push(...((await unlessBlocked(() => pagesOf(api, list))) ?? []));
  const answers = await atOnce(asked.length, async (index, gate) => {
    const one = asked[index];
    if (one === undefined) return [];
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

/** Two pages of the longest list, and one of another organization of the same admin, if there is one. */
async function pagesOf(api: Api, list: ListOperation): Promise<readonly Asked[]> {
  const longest = await givenLongestList(api, list, 3);
  const { items } = longest.walk;
  const others = (await givenLists(api, list)).filter((one) => one !== longest && one.admin === longest.admin);
  const [other] = others.filter(({ walk }) => walk.items.length > 0);
  return [
    { list: longest, query: { limit: 2 }, expected: items.slice(0, 2) },
    { list: longest, query: { limit: 3, cursor: items[1]?.id ?? '' }, expected: items.slice(2, 5) },
    ...(other === undefined ? [] : [{ list: other, query: { limit: 3 }, expected: other.walk.items.slice(0, 3) }]),
  ];
}

/** Sections 4.1 and 4.5: what a page shows does not depend on other requests of the same reader at the same instant. */
export const listsSideBySide: readonly Check[] = listOperations.map((list) =>
  check('paging.walk', { on: list, variant: 'side-by-side', extended: true }, async (api) => {
    const pages = (await givenTogether(api)).filter((one) => one.list.list === list);
    if (pages.length === 0) throw new Blocked('no page was read beside others: needs an organization with 3 items');
    for (const { list: fixture, query, expected, page } of pages) {
      const { limit, cursor } = query;
      const after = cursor === undefined ? '' : ' after a cursor';
      await mustAgree(api, fixture, page, expected, `beside other requests, with limit=${limit}${after}`);
    }
  }),
);
