import fc from 'fast-check';
import { must, mustEqual } from '../harness/answer.ts';
import { type Api, as } from '../harness/api.ts';
import { check, type Check } from '../harness/check.ts';
import {
  givenLists,
  givenLongestList,
  givenPage,
  givenWalk,
  type Item,
  type ListFixture,
  type ListOperation,
  listOperations,
  maxWalkItems,
  type Page,
  type Walk,
} from '../harness/lists.ts';
import { forAll } from '../harness/properties.ts';
import { describe } from '../harness/text.ts';
import { Blocked } from '../harness/verdict.ts';

/** Items that a drawn walk reads: enough to pass page borders, few enough for a page size of one. */
const drawnItems = 240;

/** What a walk of a list promises, whatever its pages: sections 2.2 and 4.1, for one of the two lists. */
function walkingOf(list: ListOperation): readonly Check[] {
  const on = { on: list };

  return [
    check(
      'paging.has-more',
      async (api) => {
        const fixture = await givenLongestList(api, list, 2);
        const { items, complete } = fixture.walk;
        const length = items.length;
        if (!complete) throw new Blocked(`the list is longer than the ${maxWalkItems} items that are read of it`);
        const exact = [1, length - 1, length, Math.floor(length / 2), 50, 100];
        for (const limit of exact.filter((size) => size >= 1 && size <= Math.min(100, length))) {
          const before = lastFullPageStart(length, limit);
          const cursor = items[before - 1]?.id;
          const query = cursor === undefined ? { limit } : { limit, cursor };
          const page = await givenPage(api, list, as(fixture.admin), fixture.organizationId, query);
          const left = length - before - page.items.length;
          mustEqual(
            page.hasMore,
            left > 0,
            `with ${left} items after the page of limit=${limit}, hasMore`,
            page.answer,
          );
        }
        for (const { pages } of (await givenLists(api, list)).map(({ walk }) => walk)) mustAnnounceEveryPage(pages);
      },
      on,
    ),

    check(
      'paging.cursor-null',
      async (api) => {
        for (const { answer, hasMore, nextCursor } of await somePages(api, list)) {
          const agrees = (nextCursor === null) === !hasMore;
          must(
            agrees,
            `nextCursor ${hasMore ? 'a string' : 'null'} with hasMore ${hasMore}`,
            describe(nextCursor),
            answer,
          );
        }
      },
      on,
    ),

    check(
      'paging.cursor-is-last-id',
      async (api) => {
        const more = (await somePages(api, list)).filter(({ nextCursor }) => nextCursor !== null);
        if (more.length === 0) throw new Blocked('needs an organization with 2 items: no page had a nextCursor');
        for (const { answer, items, nextCursor } of more) {
          mustEqual(nextCursor, items.at(-1)?.id, "nextCursor, the last item's ID,", answer);
        }
      },
      on,
    ),

    check(
      'paging.newest-first',
      async (api) => {
        await givenLongestList(api, list, 2);
        for (const { walk } of await givenLists(api, list)) mustBeNewestFirst(walk);
        const fixture = await givenLongestList(api, list, 2);
        const { admin, organizationId } = fixture;
        mustBeNewestFirst(await givenWalk(api, list, as(admin), organizationId, { limit: 3 }, 30));
        mustBeNewestFirst(await givenWalk(api, list, as(admin), organizationId, {}, drawnItems));
      },
      on,
    ),

    check(
      'paging.any-id-is-cursor',
      async (api) => {
        const fixture = await givenLongestList(api, list, 3);
        const { items } = fixture.walk;
        const drawn = fc.record({
          position: fc.nat(items.length - 1),
          limit: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 12 }) }, fc.integer({ min: 1, max: 100 })),
        });
        await forAll(api, drawn, { runs: 15, requests: 60 }, async ({ position, limit }) => {
          const cursor = items[position]?.id ?? '';
          const query = { limit, cursor };
          const page = await givenPage(api, list, as(fixture.admin), fixture.organizationId, query);
          const expected = items.slice(position + 1, position + 1 + limit);
          await mustShow(api, fixture, page, expected, `after item ${position + 1} of ${items.length}, limit=${limit}`);
        });
      },
      on,
    ),

    check(
      'paging.walk',
      async (api) => {
        const fixture = await givenLongestList(api, list, 3);
        const most = Math.min(drawnItems, fixture.walk.items.length);
        mustNotRepeat(fixture.walk);
        const smallest = Math.max(1, Math.ceil(most / 20));
        await forAll(api, fc.integer({ min: smallest, max: 100 }), { runs: 5, requests: 100 }, (limit) =>
          mustWalkAlike(api, fixture, limit, drawnItems),
        );
        await mustWalkAlike(api, fixture, 1, Math.min(12, most));
        await mustWalkAlike(api, fixture, undefined, drawnItems);
        for (const other of await givenLists(api, list)) mustNotRepeat(other.walk);
      },
      on,
    ),
  ];
}

/** Where the page that ends exactly at the end of the list begins. */
function lastFullPageStart(length: number, limit: number): number {
  return length - limit;
}

function mustAnnounceEveryPage(pages: readonly Page[]): void {
  for (const [index, page] of pages.entries()) {
    const next = pages[index + 1];
    if (next === undefined || next.items.length > 0) continue;
    must(
      !page.hasMore,
      'hasMore false before the end of the list',
      'true, and then an empty page',
      page.answer,
      next.answer,
    );
  }
}

/** The pages of the walks with limit=100, and a few small ones. */
async function somePages(api: Api, list: ListOperation): Promise<readonly Page[]> {
  const pages = (await givenLists(api, list)).flatMap(({ walk }) => walk.pages);
  const { admin, organizationId, walk } = await givenLongestList(api, list, 1);
  const small = await givenWalk(api, list, as(admin), organizationId, { limit: 2 }, 6);
  const halves = await givenWalk(api, list, as(admin), organizationId, {
    limit: Math.min(100, Math.ceil(walk.items.length / 2)),
  });
  return [...pages, ...small.pages, ...halves.pages];
}

function mustBeNewestFirst({ pages }: Walk): void {
  let newer: { item: Item; page: Page } | undefined;
  for (const page of pages) {
    for (const item of page.items) {
      const times = [newer?.item.createdAt, item.createdAt].map((time) => Date.parse(time ?? ''));
      const [before, after] = times;
      if (newer !== undefined && before !== undefined && after !== undefined) {
        const actual = `${describe(item.id)} of ${item.createdAt} after ${describe(newer.item.id)} of ${newer.item.createdAt}`;
        must(!(after > before), 'the newest first', actual, newer.page.answer, page.answer);
      }
      newer = { item, page };
    }
  }
}

function mustNotRepeat({ pages }: Walk): void {
  const seen = new Map<string, Page>();
  for (const page of pages) {
    for (const { id } of page.items) {
      const earlier = seen.get(id);
      if (earlier !== undefined)
        must(false, 'each item once in a walk', `${describe(id)} twice`, earlier.answer, page.answer);
      seen.set(id, page);
    }
  }
}

async function mustWalkAlike(api: Api, fixture: ListFixture, limit: number | undefined, most: number): Promise<void> {
  const { list, admin, organizationId } = fixture;
  const walk = await givenWalk(api, list, as(admin), organizationId, limit === undefined ? {} : { limit }, most);
  mustNotRepeat(walk);
  const last = walk.pages.at(-1);
  if (last === undefined) return;
  const expected = fixture.walk.items.slice(0, walk.complete ? undefined : walk.items.length);
  const what = `in a walk with ${limit === undefined ? 'the default limit' : `limit=${limit}`}`;
  await mustShow(api, fixture, { ...last, items: walk.items }, expected, what);
}

/**
 * What was seen must be what the first walk showed there. Where it is not, the list may have changed in between, so it is
 * walked once more, and only what both walks agree on is held against the deployment.
 */
async function mustShow(
  api: Api,
  fixture: ListFixture,
  seen: Page,
  expected: readonly Item[],
  where: string,
): Promise<void> {
  if (sameIds(seen.items, expected)) return;
  const { list, admin, organizationId, walk } = fixture;
  const again = await givenWalk(api, list, as(admin), organizationId, { limit: 100 });
  const [first, second] = [orderOf(walk.items), orderOf(again.items)];
  const kept = (items: readonly Item[]) => items.filter(({ id }) => first.has(id) && second.has(id));
  const stable = kept(walk.items).map(({ id }) => id);
  const unordered = !sameIds(kept(walk.items), kept(again.items));
  must(
    !unordered,
    'the same order in two walks with limit=100',
    'another order',
    ...[walk, again].flatMap(({ pages }) => pages.map(({ answer }) => answer)).slice(0, 4),
  );
  const foreign = seen.items.find(({ id }) => !first.has(id) && !second.has(id));
  must(foreign === undefined, `${where}, only items of the list`, describe(foreign?.id), seen.answer);
  const shouldShow = kept(expected).map(({ id }) => id);
  const shows = kept(seen.items).map(({ id }) => id);
  const changed = stable.length !== walk.items.length || stable.length !== again.items.length;
  const wrong = changed
    ? shouldShow.slice(0, shows.length).some((id, index) => shows[index] !== id)
    : !sameIds(seen.items, expected);
  if (!wrong) return;
  const place = Math.max(
    0,
    shows.findIndex((id, index) => shouldShow[index] !== id),
  );
  const actual = `${shows.length} items, at place ${place + 1} ${describe(shows[place])}`;
  must(
    false,
    `${where}, ${shouldShow.length} items, at place ${place + 1} ${describe(shouldShow[place])}`,
    actual,
    seen.answer,
  );
}

function sameIds(one: readonly Item[], other: readonly Item[]): boolean {
  return one.length === other.length && one.every(({ id }, index) => id === other[index]?.id);
}

function orderOf(items: readonly Item[]): ReadonlyMap<string, number> {
  return new Map(items.map(({ id }, index) => [id, index]));
}

export const walking: readonly Check[] = listOperations.flatMap(walkingOf);
