import { knownPage, requestOnce } from '../../stage/lists/pages.ts';
import { mustEqual, mustSucceed } from '../../engine/answer.ts';
import { isSuccess } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { isSameTime } from '../../core/instant.ts';
import type { Item, Page } from '../../core/page.ts';
import { isGone } from './is-gone.ts';
import { Blocked } from '../../engine/verdict.ts';
import { type FilterCase, givenFilterCases, smallLimit, walkFiltered } from '../models/model-filters.ts';
import { cursorIsLastId, cursorNull, defaultLimit, newestFirst, pageLimit } from '../../promises/lists.ts';
import { mustAgree } from './list-agreement.ts';
import { mustKeep } from '../shared/must-keep.ts';

const filtered = { on: 'listModels', variant: 'filtered' } as const;

/** Sections 2.2 and 4.1: a filtered list has the same paging as the whole list. */
export const filteredPaging: readonly Check[] = [
  check('paging.limit', filtered, async (api) => {
    const longest = await givenFilter(api, 3);
    for (const limit of [smallLimit(longest), 100]) {
      const { pages } = await walkFiltered(api, longest, limit);
      for (const page of pages) mustKeep(pageLimit, { page, atLeast: 0 }, page.answer);
    }
  }),

  check('paging.default-limit', { ...filtered, extended: true }, async (api) => {
    const { list, sourceId } = await givenFilter(api, 51);
    const query = { databaseConnectionId: sourceId };
    const page = await knownPage(api, list, query);
    mustKeep(defaultLimit, { page, atLeast: 0 }, page.answer);
    const later = await knownPage(api, list, { ...query, cursor: page.items[0]?.id ?? '' });
    mustKeep(defaultLimit, { page: later, atLeast: 0 }, later.answer);
  }),

  check('paging.has-more', { ...filtered, tries: 3 }, async (api) => {
    const longest = await givenFilter(api, 2, othersFollow);
    await mustSayWhatFollows(api, longest);
    if (othersFollow(longest)) return;
    const followed = (await givenFilterCases(api)).find((one) => one.models.length > 0 && othersFollow(one));
    if (followed !== undefined) await mustSayWhatFollows(api, followed);
  }),

  check('paging.cursor-null', filtered, async (api) => {
    const longest = await givenFilter(api, 2);
    const { pages } = await walkFiltered(api, longest, smallLimit(longest));
    for (const page of pages) mustKeep(cursorNull, page, page.answer);
  }),

  check('paging.cursor-is-last-id', filtered, async (api) => {
    const longest = await givenFilter(api, 2);
    const page = await filteredPage(api, longest, smallLimit(longest), undefined);
    mustKeep(cursorIsLastId, page, page.answer);
  }),

  check('paging.walk', { ...filtered, tries: 3 }, async (api) => {
    const longest = await givenFilter(api, 3, othersPrecede);
    const { list, sourceId } = longest;
    // Compared with the filtered list itself: another query may order models of one instant differently.
    const query = { databaseConnectionId: sourceId, limit: 100 };
    const walk = await walkFiltered(api, longest, 100);
    await mustLeadOnFiltered(api, longest, walk.items);
    for (const [start, limit] of [[0, 1], [1, 2], ...amongEqualTimes(walk.items)] as const) {
      const page = await filteredPage(api, longest, limit, walk.items[start - 1]?.id);
      const where = `with a filter and limit=${limit}, from its model ${start + 1}`;
      await mustAgree(api, { ...list, walk }, page, walk.items.slice(start, start + limit), where, query);
    }
  }),

  check('paging.newest-first', filtered, async (api) => {
    const longest = await givenFilter(api, 2);
    const { pages } = await walkFiltered(api, longest, smallLimit(longest));
    mustKeep(newestFirst, pages);
  }),
];

async function mustSayWhatFollows(api: Api, filter: FilterCase): Promise<void> {
  const { models } = filter;
  const { length } = models;
  const ends = [1, Math.min(100, Math.ceil(length / 2)), Math.min(100, length)].map((limit) => [limit, 0] as const);
  const beforeLast = length < 2 ? [] : [[Math.min(100, length - 1), 1] as const];
  // A page that is neither the first nor the last one.
  const middle = length < 3 ? [] : [[Math.min(2, length - 2), Math.max(1, length - 3)] as const];
  for (const [limit, behind] of [...ends, ...beforeLast, ...middle]) {
    const page = await filteredPage(api, filter, limit, models[length - behind - limit - 1]?.id);
    const last = page.items.at(-1)?.id;
    if (last === undefined || page.hasMore === mayFollow(models, last)) continue;
    const next = await filteredPage(api, filter, limit, last);
    const what = `with a filter and ${next.items.length === 0 ? 'nothing' : 'items'} after the page, hasMore`;
    mustEqual(page.hasMore, next.items.length > 0, what, page.answer, next.answer);
  }
}

/** The ID of a listed model is a cursor of the filtered list. The sender has repeated a refused request, so only another one counts. */
async function mustLeadOnFiltered(api: Api, { list, sourceId }: FilterCase, models: readonly Item[]): Promise<void> {
  const cursor = models[0]?.id;
  if (cursor === undefined) return;
  const query = { databaseConnectionId: sourceId, limit: 2, cursor };
  const answer = await requestOnce(api, list, query);
  if (!isSuccess(answer) && !(await isGone(api, list, cursor)))
    mustSucceed(answer, 'with a filter and the ID of its first model as cursor');
}

/** The page of two models after the first of several with one creation time, if there are several. */
function amongEqualTimes(models: FilterCase['models']): readonly (readonly [start: number, limit: number])[] {
  const start = models.findIndex(
    ({ createdAt }, place) => place > 1 && isSameTime(models[place - 1]?.createdAt, createdAt) === true,
  );
  return start < 0 ? [] : [[start, 2]];
}

/** Whether the models go on after that one; undefined if it is none of them. */
function mayFollow(models: FilterCase['models'], id: string): boolean | undefined {
  const place = models.findIndex((model) => model.id === id);
  return place < 0 ? undefined : place < models.length - 1;
}

/** Whether models of other data sources are older than all of its own: a query without the filter would find those. */
function othersFollow({ models, list }: FilterCase): boolean {
  return models.at(-1)?.id !== list.walk.items.at(-1)?.id;
}

/** Whether a model of another data source is the newest of all: a query without the filter would find that first. */
function othersPrecede({ models, list }: FilterCase): boolean {
  return models[0]?.id !== list.walk.items[0]?.id;
}

/** The data source with the most models, of those that are `preferred` where they have enough. Blocked when it has fewer than `atLeast`. */
async function givenFilter(api: Api, atLeast: number, preferred?: (one: FilterCase) => boolean): Promise<FilterCase> {
  const cases = (await givenFilterCases(api)).toSorted((one, other) => other.models.length - one.models.length);
  const longest = cases.find((one) => one.models.length >= atLeast && preferred?.(one)) ?? cases[0];
  if (longest === undefined || longest.models.length < atLeast) {
    throw new Blocked(`needs a data source with ${atLeast} models; the largest one has ${longest?.models.length ?? 0}`);
  }
  return longest;
}

function filteredPage(
  api: Api,
  { list, sourceId }: FilterCase,
  limit: number,
  cursor: string | undefined,
): Promise<Page> {
  const query = { databaseConnectionId: sourceId, limit, ...(cursor === undefined ? {} : { cursor }) };
  return knownPage(api, list, query);
}
