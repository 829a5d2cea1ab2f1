import { type Api, as } from '../../engine/api.ts';
import type { Query } from '../../core/paths.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { type Page, readPage } from '../../core/page.ts';
import { givenPage } from '../lists/pages.ts';
import { type Snapshot, unlessBlocked } from '../lists/snapshot.ts';
import type { Walk } from '../lists/walk.ts';
import type { Disposable } from './still-listed.ts';

export type Around = {
  /** The page that begins where the data source was, by the cursor before it; undefined if it was the first. */
  readonly inItsPlace: Page | undefined;
  /** The same page with one item: it is empty if the deleted one is left out after the page was cut. */
  readonly oneInItsPlace: Page | undefined;
  /** A page that begins before it and ends with the list, without room for one more item. */
  readonly toTheEnd: Page | undefined;
  /** The page of one item that ends there, read afterwards, when nothing new can follow it. */
  readonly beforeItsPlace: Page | undefined;
};

/**
 * The nextCursor of a page that ends with the item after the data source, before the deletion: it may be kept as an offset.
 * Undefined if nothing follows.
 */
export async function issueCursor(
  api: Api,
  { organizationId, id, admin }: Disposable,
  before: Snapshot,
): Promise<string | undefined> {
  const items = before.sources.get(organizationId)?.items ?? [];
  const newer = items[items.findIndex((item) => item.id === id) - 1];
  const query = { limit: 2, ...(newer === undefined ? {} : { cursor: newer.id }) };
  const page = await unlessBlocked(() => givenPage(api, 'listDataSources', as(admin), organizationId, query));
  return page?.nextCursor ?? undefined;
}

/** The page of one item after that cursor. */
export function pageAfter(api: Api, { organizationId, admin }: Disposable, cursor: string): Promise<Page | undefined> {
  const query = { cursor, limit: 1 };
  return unlessBlocked(() => givenPage(api, 'listDataSources', as(admin), organizationId, query));
}

const nothingAround: Around = {
  inItsPlace: undefined,
  oneInItsPlace: undefined,
  toTheEnd: undefined,
  beforeItsPlace: undefined,
};

/** Pages around the place of the data source: a list may be right from the start and wrong after a cursor. */
export async function pagesAround(
  api: Api,
  { organizationId, admin, id }: Disposable,
  before: Snapshot,
  atLast: Snapshot,
): Promise<Around> {
  const items = before.sources.get(organizationId)?.items ?? [];
  const left = atLast.sources.get(organizationId);
  const still = new Set(left?.items.map((item) => item.id));
  const place = items.findIndex((item) => item.id === id);
  const newer = items.slice(0, place).filter((item) => still.has(item.id));
  const [last, lastButOne] = newer.toReversed();
  if (last === undefined) return nothingAround;
  const page = (query: Query) =>
    unlessBlocked(() => givenPage(api, 'listDataSources', as(admin), organizationId, query));
  const inItsPlace = await page({ cursor: last.id, limit: 2 });
  const oneInItsPlace = await page({ cursor: last.id, limit: 1 });
  const toTheEnd = await pageToTheEnd(last.id, left, page);
  const beforeItsPlace = await page({ limit: 1, ...(lastButOne === undefined ? {} : { cursor: lastButOne.id }) });
  return { inItsPlace, oneInItsPlace, toTheEnd, beforeItsPlace };
}

/** The page of at most 100 items that ends with the list; undefined if it has none, or begins after the item `first`. */
async function pageToTheEnd(
  first: string,
  list: Walk | undefined,
  page: (query: Query) => Promise<Page | undefined>,
): Promise<Page | undefined> {
  if (list?.complete !== true) return undefined;
  const start = Math.max(0, list.items.length - 101);
  const cursor = list.items[start]?.id;
  const limit = list.items.length - 1 - start;
  const isBefore = list.items.findIndex(({ id }) => id === first) < start;
  return isBefore || cursor === undefined || limit < 1 ? undefined : page({ cursor, limit });
}

/** More than are usually of one instant, because those may stand in any order. */
const fewAfter = 10;

/** In section 4.5 the ID of the last item is the cursor; the page after a deleted item is an open point. */
export async function tryCursor(
  api: Api,
  { organizationId, admin, id }: Disposable,
  before: Snapshot,
): Promise<Answer> {
  const items = before.sources.get(organizationId)?.items ?? [];
  const next = items[items.findIndex((item) => item.id === id) + 1];
  const answer = await api.listDataSources(as(admin), organizationId, { cursor: id, limit: fewAfter });
  const first = readPage(answer)?.items[0]?.id;
  api.session.observe('paging.deleted-cursor', outcome(), answer.exchange);
  return answer;

  function outcome(): string {
    if (!isSuccess(answer)) return summary(answer);
    if (first === undefined) return next === undefined ? 'nothing, as before' : 'nothing, though items follow';
    if (first === next?.id) return 'what follows it';
    return first === items[0]?.id ? 'the beginning of the list' : 'something else';
  }
}
