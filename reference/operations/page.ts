import { type Request, type Outcome, type Refusal, refusal } from '../http/request.ts';
import type { Item, Place } from '../data/item.ts';
import type { World } from '../world.ts';
import { rememberedPage } from './page-memory.ts';
import { queryValue } from './query-value.ts';

export type Listing = {
  /** Everything that was ever in the list, newest first: an item that left it still has its place as cursor. */
  readonly all: readonly Item[];
  /** What is in the list now, newest first. */
  readonly listed: readonly Item[];
  /** The JSON text of a record. */
  readonly text: (item: Item, place: Place) => string;
};

function pageSize(world: World, request: Request): number | Refusal {
  const { rules } = world;
  const text = queryValue(world, request, 'limit');
  if (text === undefined)
    return rules.limitMayBeLeftOut(request) ? rules.defaultLimit(request) : refusal('invalidLimit', '');
  if (typeof text !== 'string') return text;
  const limit = rules.readLimit(text, request);
  if (rules.limitInRange(limit, request)) return rules.pageSize(limit, request);
  return rules.limitInstead(limit, request) ?? refusal('invalidLimit', text);
}

function pageStart(world: World, request: Request, listing: Listing, items: readonly Item[]): number | Refusal {
  const { rules } = world;
  const text = queryValue(world, request, 'cursor');
  if (text === undefined) return 0;
  if (typeof text !== 'string') return text;
  const cursor = rules.readCursor(text, request);
  const place = items.findIndex((item) => rules.cursorNames(item, cursor, request));
  if (place >= 0) return rules.pageStart(place + 1, items, request);
  const left = rules.cursorOutlivesItem(request)
    ? listing.all.find((item) => rules.cursorNames(item, cursor, request))
    : undefined;
  if (left !== undefined) {
    const following = items.findIndex((item) => rules.precedes(left, item, request));
    return rules.pageStart(following < 0 ? items.length : following, items, request);
  }
  switch (rules.unknownCursor(cursor, request)) {
    case 'refuse':
      return refusal('unknownCursor', cursor);
    case 'beginning':
      return 0;
    case 'end':
      return items.length;
  }
}

/** One page of a list, as limit and cursor ask for it. */
export function page(world: World, request: Request, listing: Listing): Outcome {
  const { rules } = world;
  const size = pageSize(world, request);
  if (typeof size !== 'number') return size;
  const items = rules.sequence(listing.listed, request);
  const start = pageStart(world, request, listing, items);
  if (typeof start !== 'number') return start;
  const end = Math.min(start + size, items.length);
  const shown = rules.pageItems(items.slice(start, end), items, request);
  const hasMore = rules.hasMore(end, items.length, size, request);
  const nextCursor = rules.nextCursor(shown, hasMore, items[end], request);
  const texts = shown.map((item, index) => listing.text(item, { index: start + index, total: items.length }));
  const pagination = rules.pagination({ nextCursor, hasMore }, request);
  const status = rules.listStatus(request);
  const [first] = shown;
  const text =
    first === undefined ? rules.pageText('', pagination) : rememberedPage(first, texts, pagination, rules.pageText);
  return { ok: true, status, text };
}
