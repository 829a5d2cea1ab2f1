import { type Answer, isSuccess, summary } from '../core/exchange.ts';
import { isAfter, isSameTime } from '../core/instant.ts';
import { at } from '../core/json.ts';
import { type Item, listOperations, type Page, readPage } from '../core/page.ts';
import { askedOf } from '../core/route.ts';
import { describe } from '../core/text.ts';
import { isRecord } from '../schemas/walk.ts';
import type { RequirementId } from '../spec/catalogue.ts';
import { type AnswerPromise, eachIn, type Judgement, keptIf, ofSuccess, type Promised, promised } from './judgement.ts';

export const envelope = ofSuccess('paging.envelope', listOperations, ({ json }) => {
  const [data, pagination] = [at(json, 'data'), at(json, 'pagination')];
  const actual = () => `data ${describe(data, 60)}, pagination ${describe(pagination, 60)}`;
  return keptIf(Array.isArray(data) && isRecord(pagination), 'an array data and an object pagination', actual);
});

export const metaTypes = ofSuccess('paging.meta-types', listOperations, ({ json }) => {
  if (!isRecord(at(json, 'pagination'))) return undefined;
  const [hasMore, nextCursor] = [at(json, 'pagination', 'hasMore'), at(json, 'pagination', 'nextCursor')];
  const holds = typeof hasMore === 'boolean' && (nextCursor === null || typeof nextCursor === 'string');
  const actual = () => `hasMore ${describe(hasMore, 60)}, nextCursor ${describe(nextCursor, 60)}`;
  return keptIf(holds, 'a boolean hasMore, and nextCursor a string or null', actual);
});

/** A page, and how many items are surely left where it begins: 0 where that is not known. */
export type Sized = { readonly page: Page; readonly atLeast: number };

export const pageLimit = ofSize('paging.limit', (limit) => (limit.kind === 'given' ? limit.value : undefined));
export const defaultLimit = ofSize('paging.default-limit', (limit) => (limit.kind === 'none' ? 50 : undefined));
export const limitMinimum = ofSize('paging.limit-minimum', (limit) => (isGiven(limit, 1) ? 1 : undefined));
export const limitMaximum = ofSize('paging.limit-maximum', (limit) => (isGiven(limit, 100) ? 100 : undefined));

export const limitCap = promised('paging.limit-cap', ({ answer, items }: Page) =>
  ['wrong', 'unsure'].includes(limitOf(answer).kind)
    ? keptIf(items.length <= 100, 'at most 100 items', `${items.length} items`)
    : undefined,
);

/** 400 and 422 are surely about the limit; another refusal may have another cause. */
export const limitRefused = promised('paging.limit-refused', (answer: Answer) => {
  const isList = listOperations.some((operation) => operation === answer.exchange.operation);
  if (!isList || limitOf(answer).kind !== 'wrong') return undefined;
  const expected = `4xx with limit=${describe(askedOf(answer.exchange)?.query.get('limit')?.[0], 60)}`;
  if (isSuccess(answer)) return { expected, actual: summary(answer) };
  return answer.status === 400 || answer.status === 422 ? 'kept' : undefined;
});

export const cursorNull = promised('paging.cursor-null', ({ answer, items, hasMore, nextCursor }: Page) => {
  // A limit of 0 need not be refused. Then items exist after a page without an item whose ID could be the cursor.
  const isCut = items.length === 0 && ['wrong', 'unsure'].includes(limitOf(answer).kind);
  if (isCut && hasMore && nextCursor === null) return undefined;
  const expected = `nextCursor ${hasMore ? 'a string' : 'null'} with hasMore ${hasMore}`;
  return keptIf((nextCursor === null) === !hasMore, expected, () => describe(nextCursor));
});

export const cursorIsLastId = promised('paging.cursor-is-last-id', ({ items, nextCursor }: Page) => {
  if (nextCursor === null) return undefined;
  const last = items.at(-1)?.id;
  return keptIf(
    nextCursor === last,
    () => `nextCursor ${describe(last)}, the ID of the last item`,
    () => describe(nextCursor),
  );
});

/** Section 4.1: of pages that follow one another, no item was created after one that came before it. */
export const newestFirst = promised('paging.newest-first', (pages: readonly Page[]) => {
  let before: { readonly item: Item; readonly page: Page } | undefined;
  let compared = 0;
  for (const page of pages) {
    for (const item of page.items) {
      const isNewer = before === undefined ? undefined : isAfter(item.createdAt, before.item.createdAt);
      if (before !== undefined && isNewer === true) {
        const actual = `${timeOf(item)} after ${timeOf(before.item)}`;
        return { expected: 'the newest first', actual, evidence: evidenceOf(before.page, page) };
      }
      if (isNewer !== undefined) compared += 1;
      before = { item, page };
    }
  }
  return compared > 0 ? 'kept' : undefined;
});

/** Section 4.1: pages that follow one another show each item once. One page alone is too little to keep it. */
export const eachItemOnce = promised('paging.walk', (pages: readonly Page[]) => {
  const seen = new Map<string, Page>();
  for (const page of pages) {
    for (const { id } of page.items) {
      const earlier = seen.get(id);
      if (earlier !== undefined) {
        const evidence = evidenceOf(earlier, page);
        return { expected: 'each item once in a walk', actual: `${describe(id)} twice`, evidence };
      }
      seen.set(id, page);
    }
  }
  return pages.length > 1 ? 'kept' : undefined;
});

/** An item, and the page that shows it. */
export type Showing = { readonly item: Item; readonly page: Page };

/** Two showings of one record. */
export type Twice = readonly [Showing, Showing];

/** Sections 2.1 and 2.5: the creation time of a record is the same wherever it is shown. */
export const createdOnce = promised('paging.same-records', (shownTwice: readonly Twice[]) => {
  let compared = 0;
  for (const [one, other] of shownTwice) {
    const isSame = isSameTime(one.item.createdAt, other.item.createdAt);
    if (isSame === false) {
      const [expected, actual] = [timeOf(one.item), timeOf(other.item)];
      return { expected: `${expected} on every page`, actual, evidence: evidenceOf(one.page, other.page) };
    }
    if (isSame === true) compared += 1;
  }
  return compared > 0 ? 'kept' : undefined;
});

/** How many items a page has. */
export const pageSizes: readonly AnswerPromise[] = [pageLimit, defaultLimit].map(ofEachPage);

/** Sections 2.2, 4.1, 4.5 and 8, as far as one page shows them. */
export const listPromises: readonly AnswerPromise[] = [
  envelope,
  metaTypes,
  ...pageSizes,
  ...[limitMinimum, limitMaximum].map(ofEachPage),
  ...[limitCap, cursorNull, cursorIsLastId].map((promise) => eachIn(pageIn, promise)),
  ...[newestFirst, eachItemOnce].map((promise) => eachIn((answer) => [pageIn(answer)], promise)),
  limitRefused,
];

function ofEachPage(promise: Promised<Sized>): AnswerPromise {
  return eachIn((answer) => pageIn(answer).map((page) => ({ page, atLeast: 0 })), promise);
}

type Limit = { readonly kind: 'none' | 'wrong' | 'unsure' } | { readonly kind: 'given'; readonly value: number };

/** The requested limit. A repeated or empty parameter has several readings. */
function limitOf({ exchange }: Answer): Limit {
  const [limit, ...more] = askedOf(exchange)?.query.get('limit') ?? [];
  if (limit === undefined) return { kind: 'none' };
  if (more.length > 0 || limit === '') return { kind: 'unsure' };
  const value = Number(limit);
  if (/^[1-9]\d{0,2}$/.test(limit) && value <= 100) return { kind: 'given', value };
  return /^0*[1-9]\d{0,2}$/.test(limit.trim()) && value <= 100 ? { kind: 'unsure' } : { kind: 'wrong' };
}

function isGiven(limit: Limit, value: number): boolean {
  return limit.kind === 'given' && limit.value === value;
}

/** A page of exactly so many items while more follow, and never of more. A shorter one with no more says nothing. */
function ofSize(requirement: RequirementId, sizeOf: (limit: Limit) => number | undefined): Promised<Sized> {
  return promised(requirement, ({ page: { answer, items, hasMore }, atLeast }): Judgement => {
    const size = sizeOf(limitOf(answer));
    if (size === undefined) return undefined;
    const { length } = items;
    if (length === size) return 'kept';
    const least = hasMore ? size : Math.min(size, atLeast);
    const asked = askedOf(answer.exchange)?.query.has('limit') === true ? `with limit=${size}` : 'without limit';
    const counted = `${length} ${length === 1 ? 'item' : 'items'}`;
    if (length > size) return { expected: `${asked}, a page of at most ${size}`, actual: counted };
    if (length < least) return { expected: `${asked} and more items left, a page of ${least}`, actual: counted };
    return atLeast > 0 ? 'kept' : undefined;
  });
}

/** The page of an answer; none where it has none. */
export function pageIn(answer: Answer): readonly Page[] {
  const isList = listOperations.some((operation) => operation === answer.exchange.operation);
  const page = isList ? readPage(answer) : undefined;
  return page === undefined ? [] : [page];
}

function evidenceOf(...pages: readonly Page[]) {
  return [...new Set(pages.map(({ answer }) => answer.exchange))];
}

function timeOf({ id, createdAt }: Item): string {
  return `${describe(id)} of ${describe(createdAt)}`;
}
