import { type Ask, type Outcome, type Refusal, refusal } from '../http/ask.ts';
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

function pageSize(world: World, ask: Ask): number | Refusal {
  const { rules } = world;
  const text = queryValue(world, ask, 'limit');
  if (text === undefined) return rules.limitMayBeLeftOut(ask) ? rules.defaultLimit(ask) : refusal('invalidLimit', '');
  if (typeof text !== 'string') return text;
  const limit = rules.readLimit(text, ask);
  if (rules.limitInRange(limit, ask)) return rules.pageSize(limit, ask);
  return rules.limitInstead(limit, ask) ?? refusal('invalidLimit', text);
}

function pageStart(world: World, ask: Ask, listing: Listing, items: readonly Item[]): number | Refusal {
  const { rules } = world;
  const text = queryValue(world, ask, 'cursor');
  if (text === undefined) return 0;
  if (typeof text !== 'string') return text;
  const cursor = rules.readCursor(text, ask);
  const place = items.findIndex((item) => rules.cursorNames(item, cursor, ask));
  if (place >= 0) return rules.pageStart(place + 1, items, ask);
  const left = rules.cursorOutlivesItem(ask)
    ? listing.all.find((item) => rules.cursorNames(item, cursor, ask))
    : undefined;
  if (left !== undefined) {
    const following = items.findIndex((item) => rules.precedes(left, item, ask));
    return rules.pageStart(following < 0 ? items.length : following, items, ask);
  }
  switch (rules.unknownCursor(cursor, ask)) {
    case 'refuse':
      return refusal('unknownCursor', cursor);
    case 'beginning':
      return 0;
    case 'end':
      return items.length;
  }
}

/** One page of a list, as limit and cursor ask for it. */
export function page(world: World, ask: Ask, listing: Listing): Outcome {
  const { rules } = world;
  const size = pageSize(world, ask);
  if (typeof size !== 'number') return size;
  const items = rules.sequence(listing.listed, ask);
  const start = pageStart(world, ask, listing, items);
  if (typeof start !== 'number') return start;
  const end = Math.min(start + size, items.length);
  const shown = rules.pageItems(items.slice(start, end), items, ask);
  const hasMore = rules.hasMore(end, items.length, size, ask);
  const nextCursor = rules.nextCursor(shown, hasMore, items[end], ask);
  const texts = shown.map((item, index) => listing.text(item, { index: start + index, total: items.length }));
  const pagination = rules.pagination({ nextCursor, hasMore }, ask);
  const status = rules.listStatus(ask);
  const [first] = shown;
  const text =
    first === undefined ? rules.pageText('', pagination) : rememberedPage(first, texts, pagination, rules.pageText);
  return { ok: true, status, text };
}
