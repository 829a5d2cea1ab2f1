import type { Item, Place } from '../data/item.ts';
import type { JsonObject } from '../http/json.ts';
import { type Outcome, type Refusal, refusal, type Request } from '../http/request.ts';
import type { World } from '../world.ts';
import { queryValue } from './request-parts.ts';

export type Listing = {
  /** All items that were ever in the list, newest first. An item that left it can still be a cursor. */
  readonly all: readonly Item[];
  /** The items in the list now, newest first. */
  readonly listed: readonly Item[];
  /** The JSON text of a record. */
  readonly text: (item: Item, place: Place) => string;
};

function pageSize(world: World, request: Request): number | Refusal {
  const { rules, hooks } = world;
  const text = queryValue(world, request, 'limit');
  if (typeof text === 'object') return text;
  const limit = rules.readLimit(text, request);
  if (rules.limitInRange(limit, request)) return hooks.pageSize(limit, request);
  return rules.limitInstead(limit, request) ?? refusal('invalidLimit', text);
}

function pageStart(world: World, request: Request, listing: Listing, items: readonly Item[]): number | Refusal {
  const { rules, hooks } = world;
  const text = queryValue(world, request, 'cursor');
  if (text === undefined) return 0;
  if (typeof text !== 'string') return text;
  const cursor = hooks.cursor(text, request);
  const place = items.findIndex((item) => rules.cursorNames(item, cursor, request));
  if (place >= 0) return hooks.pageStart(place + 1, request, items);
  const left = rules.cursorOutlivesItem(request)
    ? listing.all.find((item) => rules.cursorNames(item, cursor, request))
    : undefined;
  if (left !== undefined) {
    const following = items.findIndex((item) => rules.precedes(left, item, request));
    return hooks.pageStart(following < 0 ? items.length : following, request, items);
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

/** The page of a list that limit and cursor select. */
export function page(world: World, request: Request, listing: Listing): Outcome {
  const { rules, hooks } = world;
  const size = pageSize(world, request);
  if (typeof size !== 'number') return size;
  const items = hooks.sequence(listing.listed, request);
  const start = pageStart(world, request, listing, items);
  if (typeof start !== 'number') return start;
  const end = Math.min(start + size, items.length);
  const shown = hooks.pageItems(items.slice(start, end), request, items);
  const hasMore = rules.hasMore(end, items.length, size, request);
  const nextCursor = rules.nextCursor(shown, hasMore, items[end], request);
  const texts = shown.map((item, index) => listing.text(item, { index: start + index, total: items.length }));
  const pagination = hooks.pagination({ nextCursor, hasMore }, request);
  const status = rules.readStatus(request);
  const [first] = shown;
  const text =
    first === undefined ? rules.pageText('', pagination) : rememberedPage(first, texts, pagination, rules.pageText);
  return { ok: true, status, text };
}

/** Writes a page around its records, which are JSON texts joined by commas: a pure function. */
type PageText = (records: string, pagination: JsonObject) => string;

type Page = { readonly texts: readonly string[]; readonly write: PageText; readonly text: string };

/** How many pages are kept that begin with one item. */
const pagesMost = 128;

/**
 * By first item, then by length and pagination. Worlds with the same data share their items, and most requests ask for the
 * same few pages.
 */
const pages = new WeakMap<Item, Map<string, Page>>();

/** The JSON of a page that begins with `first`, written on first use. */
function rememberedPage(first: Item, texts: readonly string[], pagination: JsonObject, write: PageText): string {
  const begun = pages.get(first) ?? new Map<string, Page>();
  pages.set(first, begun);
  const name = `${texts.length} ${JSON.stringify(pagination)}`;
  const known = begun.get(name);
  if (known?.write === write && areSame(known.texts, texts)) return known.text;
  const text = write(texts.join(','), pagination);
  if (begun.size >= pagesMost) begun.clear();
  begun.set(name, { texts, write, text });
  return text;
}

function areSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}
