import fc from 'fast-check';
import { must, mustEqual } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { delicateIds } from '../../stage/lists/delicate-ids.ts';
import { givenLists, givenLongestList, type ListFixture } from '../../stage/lists/lists.ts';
import { givenPage, knownPage } from '../../stage/lists/pages.ts';
import { knownWalk } from '../../stage/lists/walk.ts';
import { type ListOperation, listOperations, type Page } from '../../core/page.ts';
import { forAll } from '../../engine/properties.ts';
import { Blocked } from '../../engine/verdict.ts';
import { drawnItems, singleItems } from '../models/listed-records.ts';
import { mustFollow, mustFollowElsewhere, mustFollowFiltered, mustFollowFirst, mustFollowLater } from './following.ts';
import { mustAgree } from './list-agreement.ts';
import { cursorNull, eachItemOnce, newestFirst } from '../../promises/lists.ts';
import { mustKeep } from '../shared/must-keep.ts';
import { someOf } from '../shared/some-of.ts';
import { mustLeadOn, mustNameLastItem, mustNameLastItems, mustNotSeemEmpty } from './unread-lists.ts';

/** Places after which a page of one item is read, beyond those that are walked through one by one: it ends or begins a batch. */
const singlePlaces = [14, 19, 23, 31, 49, 63, 126, 127] as const;

function placesIn({ list, walk }: ListFixture): readonly number[] {
  return someOf(list, singlePlaces, 4).filter((place) => place < walk.items.length - 1);
}

/** Items of a page without a limit: section 8. */
const defaultSize = 50;

/** What a walk of a list promises, whatever its pages: sections 2.2 and 4.1, for one of the two lists. */
function walkingOf(list: ListOperation): readonly Check[] {
  const on = { on: list };
  const singles = singleItems(list);

  return [
    check('paging.has-more', { ...on, tries: 3 }, async (api) => {
      const fixture = await givenLongestList(api, list, 2, 'complete');
      const { items } = fixture.walk;
      const sizes = someOf(list, [1, 2, Math.floor(items.length / 2), items.length - 1, items.length, 50, 100], 3);
      for (const limit of new Set(sizes.filter((size) => size >= 1 && size <= Math.min(100, items.length)))) {
        await mustTellWhatFollows(api, fixture, limit, items.length - limit);
        if (limit === 1 || limit === 100) await mustTellWhatFollows(api, fixture, limit, items.length - limit - 1);
      }
      const lists = await givenLists(api, list);
      const ofDefault = lists.find(({ walk }) => walk.complete && walk.items.length === defaultSize);
      if (ofDefault !== undefined) await mustTellWhatFollows(api, ofDefault, undefined, 0);
      // Pages without a limit: one that nothing follows, and one that a single item follows.
      for (const behind of [0, 1])
        await mustTellWhatFollows(api, fixture, undefined, Math.max(0, items.length - defaultSize - behind));
      // paging.walk asks for the same pages.
      for (const place of placesIn(fixture)) await mustTellWhatFollows(api, fixture, 1, place + 1);
      for (const { walk } of lists) mustAnnounceEveryPage(walk.pages);
    }),

    check('paging.cursor-null', on, async (api) => {
      for (const page of await somePages(api, list)) mustKeep(cursorNull, page, page.answer);
    }),

    check('paging.cursor-is-last-id', on, async (api) => {
      await mustNameLastItems(api, list);
      // Judged before the cursor is followed, because a wrong cursor would end the walks.
      mustNameLastItem(await knownPage(api, await givenLongestList(api, list, 2), { limit: 1 }));
      await mustNameDelicate(api, await givenLongestList(api, list, 2));
      const more = (await somePages(api, list)).filter(({ nextCursor }) => nextCursor !== null);
      if (more.length === 0) throw new Blocked('needs an organization with 2 items: no page had a nextCursor');
      for (const page of more) mustNameLastItem(page);
    }),

    check('paging.newest-first', on, async (api) => {
      await givenLongestList(api, list, 2);
      for (const { walk } of await givenLists(api, list)) mustKeep(newestFirst, walk.pages);
      const fixture = await givenLongestList(api, list, 2);
      mustKeep(newestFirst, (await knownWalk(api, fixture, { limit: 1 }, singles)).pages);
      mustKeep(newestFirst, (await knownWalk(api, fixture, {}, drawnItems)).pages);
    }),

    check('paging.any-id-is-cursor', { ...on, tries: 3 }, async (api) => {
      const fixture = await givenLongestList(api, list, 3);
      const { items, complete } = fixture.walk;
      // The page after the end of a truncated walk is unknown.
      const positions = complete ? items.length : items.length - 100;
      const drawn = fc.record({
        position: fc.nat(positions - 1),
        limit: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 12 }) }, fc.integer({ min: 1, max: 100 })),
      });
      const notable = [...someOf(list, notablePlaces(items.length), 5), items.length - 1, ...delicatePlaces(fixture)];
      const places = new Set([...notable, ...tiedPlace(fixture, notable)]);
      const fixed = [...places].filter((position) => position < positions);
      await mustFollowFirst(api, fixture);
      for (const position of fixed.filter((place) => place > 0)) await mustFollow(api, fixture, position, 2);
      await mustFollowElsewhere(api, fixture);
      if (list === 'listModels') await mustFollowFiltered(api, fixture);
      await forAll(
        api,
        drawn,
        { runs: 1, requests: 60 },
        ({ position, limit }) => mustFollow(api, fixture, position, limit),
        ({ position, limit }) => `limit=${limit} with the ID of item ${position + 1} of the list as cursor`,
      );
    }),

    // A cursor may be kept for some time only. The page of one item gave this one when the run began.
    check('paging.any-id-is-cursor', { ...on, phase: 'later', variant: 'later', extended: true }, async (api) =>
      mustFollowLater(api, await givenLongestList(api, list, 2)),
    ),

    check('paging.walk', { ...on, tries: 3 }, async (api) => {
      await mustNotSeemEmpty(api, list);
      await mustLeadOn(api, list);
      const fixture = await givenLongestList(api, list, 3);
      const most = Math.min(drawnItems, fixture.walk.items.length);
      mustKeep(eachItemOnce, fixture.walk.pages);
      const smallest = Math.max(1, Math.ceil(most / 5));
      await forAll(
        api,
        fc.integer({ min: smallest, max: 100 }),
        { runs: 1, requests: 100 },
        (limit) => mustWalkAlike(api, fixture, limit, drawnItems),
        (limit) => `limit=${limit}`,
      );
      await mustWalkAlike(api, fixture, 1, Math.min(singles, most));
      for (const place of placesIn(fixture)) await mustFollow(api, fixture, place, 1);
      await mustWalkAlike(api, fixture, undefined, drawnItems);
      for (const other of await givenLists(api, list)) mustKeep(eachItemOnce, other.walk.pages);
    }),
  ];
}

/** Requests the page after the first `before` items: hasMore must agree with what follows in the list, or else with the next page. */
async function mustTellWhatFollows(
  api: Api,
  fixture: ListFixture,
  limit: number | undefined,
  before: number,
): Promise<void> {
  const { list, admin, organizationId, walk } = fixture;
  const cursor = walk.items[before - 1]?.id;
  if (before < 0 || (before > 0 && cursor === undefined)) return;
  const size = limit === undefined ? {} : { limit };
  const page = await knownPage(api, fixture, cursor === undefined ? size : { ...size, cursor });
  const last = page.items.at(-1)?.id;
  if (last === undefined) return;
  const isEnd = last === walk.items.at(-1)?.id;
  const isListed = walk.items.some(({ id }) => id === last);
  // The walk may have ended too early.
  const follows = isEnd ? (await knownPage(api, fixture, { limit: 100, cursor: last })).items.length > 0 : isListed;
  if (page.hasMore === follows) return;
  const next = await givenPage(api, list, as(admin), organizationId, { ...size, cursor: last });
  const which = limit === undefined ? 'without a limit' : `of limit=${limit}`;
  const what = `with ${next.items.length === 0 ? 'nothing' : 'items'} after the page ${which}, hasMore`;
  mustEqual(page.hasMore, next.items.length > 0, what, page.answer, next.answer);
}

/** Places of typical off-by-one errors, tried in addition to the drawn ones and the last: the ends of the list and of common page sizes. */
function notablePlaces(count: number): readonly number[] {
  const places = [0, count - 2, 48, 49, 50, 98, 99, 100];
  return [...new Set(places)].filter((place) => place >= 0 && place < count);
}

/** Items whose IDs are tried as cursors because of what they look like. */
const mostDelicate = 8;

function delicatePlaces({ walk }: ListFixture): readonly number[] {
  const ids = walk.items.map(({ id }) => id);
  return delicateIds(ids, mostDelicate).map((id) => ids.indexOf(id));
}

/** A place whose next item has the same creation time: such items are easily skipped. None if one of the `places` is such a place. */
function tiedPlace({ walk: { items } }: ListFixture, places: readonly number[]): readonly number[] {
  const isTied = (place: number): boolean => {
    const [one, next] = [items[place]?.createdAt, items[place + 1]?.createdAt];
    return one !== undefined && one === next;
  };
  if (places.some(isTied)) return [];
  const tied = items.findIndex((_, place) => isTied(place));
  return tied < 0 ? [] : [tied];
}

/** Pages of one item whose ID is easily damaged. */
async function mustNameDelicate(api: Api, fixture: ListFixture): Promise<void> {
  for (const place of delicatePlaces(fixture)) {
    const before = fixture.walk.items[place - 1];
    const query = before === undefined ? { limit: 1 } : { limit: 1, cursor: before.id };
    mustNameLastItem(await knownPage(api, fixture, query));
  }
}

function mustAnnounceEveryPage(pages: readonly Page[]): void {
  for (const [index, page] of pages.entries()) {
    const next = pages[index + 1];
    if (next === undefined || next.items.length > 0) continue;
    must(false, 'hasMore false on the last page', 'hasMore true, and the next page is empty', page.answer, next.answer);
  }
}

/** The pages of the walks with limit=100, and a few small ones. */
async function somePages(api: Api, list: ListOperation): Promise<readonly Page[]> {
  const pages = (await givenLists(api, list)).flatMap(({ walk }) => walk.pages);
  const fixture = await givenLongestList(api, list, 1);
  const half = Math.min(100, Math.ceil(fixture.walk.items.length / 2));
  const small = await knownWalk(api, fixture, { limit: 2 }, list === listOperations[0] ? 6 : 2);
  const halves = await knownWalk(api, fixture, { limit: half });
  return [...pages, ...small.pages, ...halves.pages];
}

async function mustWalkAlike(api: Api, fixture: ListFixture, limit: number | undefined, most: number): Promise<void> {
  const walk = await knownWalk(api, fixture, limit === undefined ? {} : { limit }, most);
  mustKeep(eachItemOnce, walk.pages);
  const last = walk.pages.at(-1);
  if (last === undefined) return;
  const expected = fixture.walk.items.slice(0, walk.complete ? undefined : walk.items.length);
  const what = `in a walk with ${limit === undefined ? 'the default limit' : `limit=${limit}`}`;
  await mustAgree(api, fixture, { ...last, items: walk.items }, expected, what);
}

export const walking: readonly Check[] = listOperations.flatMap(walkingOf);
