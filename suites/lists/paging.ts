import { must, mustHaveErrorBody, mustSucceed } from '../../engine/answer.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { shared } from '../../engine/fixture.ts';
import { adminsOf, givenLists, givenLongestList, type ListFixture, requestAsOthers } from '../../stage/lists/lists.ts';
import { givenPageIn, knownPage, requestOnce, requestPage, widest } from '../../stage/lists/pages.ts';
import { givenGranted } from '../access/access-matrix.ts';
import { type ListOperation, listOperations, type Page, readPage } from '../../core/page.ts';
import { at } from '../../core/json.ts';
import { describe } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';
import {
  defaultLimit,
  envelope,
  limitCap,
  limitMaximum,
  limitMinimum,
  limitRefused,
  metaTypes,
  pageLimit,
  type Sized,
} from '../../promises/lists.ts';
import type { Promised } from '../../promises/judgement.ts';
import { noteMistake } from '../shared/mistakes.ts';
import { someOf } from '../shared/some-of.ts';
import { mustKeep } from '../shared/must-keep.ts';
import { mustRead } from './must-read.ts';
import { mustAgree } from './list-agreement.ts';
import { unknownCursor } from './unknown-cursor.ts';

/**
 * Values of limit that are not an integer from 1 to 100. When a 32-bit integer overflows, one becomes negative and one
 * becomes 1; one is too large for 64 bits. Two are the largest integers of 32 and of 64 bits: one item more, which shows whether
 * others follow, makes them overflow.
 */
const outOfRange = ['0', '-1', '101', '1000'] as const;
const wrongLimits = [
  '2147483648',
  '9223372036854775807',
  '2147483647',
  '4294967297',
  '1.5',
  '1e3',
  '99999999999999999999',
  'ten',
] as const;

/** The answers to invalid values of limit. */
type Limited = { readonly limit: string; readonly answer: Answer };

/** Sections 2.2, 4.1, 4.5 and 8, for one of the two lists. */
function pagingOf(list: ListOperation): readonly Check[] {
  const on = { on: list };

  const givenFirstPages = shared((api) => firstPages(api, list));

  const givenWrongLimits = shared(async (api): Promise<readonly Limited[]> => {
    const { admin, organizationId, walk } = await givenLongestList(api, list, 1);
    const [newest] = walk.items;
    // Other code may read later pages. If more than 100 items follow, one of the limits is tried there.
    const later: Readonly<Record<string, string>> =
      newest !== undefined && walk.items.length > 101 ? { cursor: newest.id } : {};
    const limited: Limited[] = [];
    for (const limit of [...outOfRange, ...someOf(list, wrongLimits, 2)]) {
      const query = limit === '1000' ? { limit, ...later } : { limit };
      const answer = await requestPage(api, list, as(admin), organizationId, query);
      noteMistake(api, list, `with limit=${limit}`, answer);
      limited.push({ limit, answer });
    }
    return limited;
  });

  return [
    ...[envelope, metaTypes].map((promise) =>
      check(promise.requirement, on, async (api) => {
        for (const answer of await givenFirstPages(api)) {
          const isJudged = mustKeep(promise, answer, answer);
          must(isJudged, 'pagination, an object', describe(at(answer.json, 'pagination'), 60), answer);
        }
      }),
    ),

    check('paging.limit', on, async (api) => {
      const fixture = await givenLongestList(api, list, 3);
      const { items } = fixture.walk;
      let hasOther = false;
      for (const limit of sizesUpTo(items.length, someOf(list, [2, 3, 49, 99], 2))) {
        mustAllow(limit, await requestOnce(api, fixture, { limit }));
        const first = await knownPage(api, fixture, { limit });
        await mustBeFull(api, fixture, pageLimit, first, { limit, start: 0 });
        const start = Math.floor(items.length / 2) - limit;
        const cursor = items[start]?.id;
        // Later pages of every other size.
        if (cursor === undefined || limit % 2 === 0) continue;
        const later = await knownPage(api, fixture, { limit, cursor });
        await mustBeFull(api, fixture, pageLimit, later, { limit, start: start + 1 });
        // Another admin may be declared wrongly, which access.granted judges.
        const admin = adminsOf(api, fixture.organizationId).find((one) => one !== fixture.admin);
        if (admin === undefined || hasOther) continue;
        hasOther = true;
        const page = readPage(await requestOnce(api, { ...fixture, admin }, { limit, cursor }));
        if (page !== undefined) mustKeep(pageLimit, { page, atLeast: 0 }, page.answer);
      }
    }),

    check('paging.default-limit', on, async (api) => {
      // The lists that were read with a limit show that the organization is readable.
      mustSucceed(await requestOnce(api, await givenLongestList(api, list, 1), {}), 'without a limit');
      const fixture = await givenLongestList(api, list, 51);
      const first = await knownPage(api, fixture, {});
      await mustBeFull(api, fixture, defaultLimit, first, { limit: 50, start: 0 });
      const later = await pageAfter(api, fixture, first.items[0]?.id ?? '');
      mustKeep(defaultLimit, { page: later, atLeast: 0 }, later.answer);
      for (const answer of await requestAsOthers(api, fixture)) {
        mustKeep(defaultLimit, { page: givenPageIn(fixture, answer), atLeast: 0 }, answer);
      }
    }),

    check('paging.limit-minimum', on, async (api) => {
      const fixture = await givenLongestList(api, list, 2);
      const answer = await requestOnce(api, fixture, { limit: 1 });
      mustSucceed(answer, 'with limit=1');
      mustKeep(limitMinimum, { page: mustRead(answer), atLeast: 2 }, answer);
    }),

    check('paging.limit-maximum', on, async (api) => {
      const fixture = await givenLongestList(api, list, 1);
      const answer = await requestOnce(api, fixture, { limit: 100 });
      mustSucceed(answer, 'with limit=100');
      // A limit beyond the end of a short list is no reason to refuse it.
      for (const one of await givenLists(api, list)) mustAllow(100, await requestOnce(api, one, widest));
      const most = Math.min(100, fixture.walk.items.length);
      const page = mustRead(answer);
      // Items that other clients deleted meanwhile are missing from both the page and the list.
      if (page.items.length !== most) {
        await mustAgree(api, fixture, page, fixture.walk.items.slice(0, most), 'with limit=100');
      }
      mustKeep(limitMaximum, { page, atLeast: 0 }, answer);
      if (most < 100)
        throw new Blocked(`needs a list of 100 items for a full page of limit=100; the longest list has ${most}`);
    }),

    check('paging.limit-cap', on, async (api) => {
      const { admin, organizationId } = await givenLongestList(api, list, 101);
      // One of two values may be checked, and the other one used. An empty one may count as none, but not as no limit at all.
      const repeated = { ...as(admin), elsewhere: { headers: {}, query: 'limit=1000' } };
      const written = [
        { what: '', caller: as(admin), limit: '' },
        { what: '100&limit=1000', caller: repeated, limit: '100' },
      ];
      const odd: Limited[] = [];
      for (const { what, caller, limit } of someOf(list, written, 1))
        odd.push({ limit: what, answer: await requestPage(api, list, caller, organizationId, { limit }) });
      for (const { limit, answer } of [...(await givenWrongLimits(api)), ...odd]) {
        const found = readPage(answer);
        if (found !== undefined) mustKeep(limitCap, found, answer);
        const outcome = isSuccess(answer) ? `a page of ${found?.items.length ?? 0}` : summary(answer);
        api.session.observe('paging.limit-out-of-range', `${list} limit=${limit}: ${outcome}`, answer.exchange);
      }
    }),

    check('paging.limit-refused', on, async (api) => {
      await knownPage(api, await givenLongestList(api, list, 1), { limit: 1 });
      for (const { limit, answer } of await givenWrongLimits(api)) {
        mustKeep(limitRefused, answer, answer);
        const refused = answer.status >= 400 && answer.status < 500;
        must(refused, `4xx with limit=${limit}`, summary(answer), answer);
        mustHaveErrorBody(answer);
      }
    }),

    unknownCursor(list),
  ];
}

/** A first page of every list, and one without a limit. Blocked if there is none. */
async function firstPages(api: Api, list: ListOperation): Promise<readonly Answer[]> {
  const granted = await givenGranted(api, list);
  const readable = granted.find(({ answer }) => isSuccess(answer));
  if (readable === undefined) {
    const [refused] = granted.map(({ answer }) => summary(answer));
    throw new Blocked(`${list} was readable by no principal: ${refused}: access.granted/${list} judges that`);
  }
  const { principal: admin, resource: organizationId } = readable;
  const usual = await requestOnce(api, { list, admin, organizationId }, {});
  return [...granted.map(({ answer }) => answer), usual].filter(isSuccess);
}

/** How many items a page should hold, and the place in the first walk at which it begins. */
type Extent = { readonly limit: number; readonly start: number };

/**
 * A page holds as many items as the first walk showed there. A shorter one that ends the list is compared with the list as it is now,
 * from which other clients may have deleted items. Blocked if they did, because nothing shows how many the page should hold.
 */
async function mustBeFull(
  api: Api,
  fixture: ListFixture,
  promise: Promised<Sized>,
  page: Page,
  { limit, start }: Extent,
): Promise<void> {
  const expected = fixture.walk.items.slice(start, start + limit);
  if (page.items.length < expected.length && !page.hasMore) {
    await mustAgree(api, fixture, page, expected, `in a page of ${limit} items`);
    throw new Blocked(`the list became shorter than ${start + limit} items: other traffic deletes some`);
  }
  mustKeep(promise, { page, atLeast: expected.length }, page.answer);
}

/** A refusal as invalid; any other answer may have another cause. */
function mustAllow(limit: number, answer: Answer): void {
  const isRefused = answer.status === 400 || answer.status === 422;
  must(!isRefused, `a page with limit=${limit}`, summary(answer), answer);
}

function sizesUpTo(most: number, sizes: readonly number[]): readonly number[] {
  return sizes.filter((size) => size < most);
}

export const paging: readonly Check[] = listOperations.flatMap(pagingOf);

/**
 * The page after a cursor, without a limit. A refusal is a violation if the same cursor with a limit is accepted: then its item is
 * still there.
 */
async function pageAfter(api: Api, fixture: ListFixture, cursor: string): Promise<Page> {
  const answer = await requestOnce(api, fixture, { cursor });
  if (!isSuccess(answer) && isSuccess(await requestOnce(api, fixture, { cursor, limit: 50 }))) {
    mustSucceed(answer, 'with a cursor and without a limit');
  }
  return givenPageIn(fixture, answer);
}
