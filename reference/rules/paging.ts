import type { Ask } from '../http/ask.ts';
import { type Item, newestFirst } from '../data/item.ts';
import type { JsonObject } from '../http/json.ts';

/** Sections 2.2, 4.1, 4.5 and 8. */
export const pagingRules = {
  limitMayBeLeftOut(_ask: Ask): boolean {
    return true;
  },
  defaultLimit(_ask: Ask): number {
    return 50;
  },
  /** The number that a limit is written as; NaN where it is none. */
  readLimit(text: string, _ask: Ask): number {
    return /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  },
  limitInRange(limit: number, _ask: Ask): boolean {
    return limit >= 1 && limit <= 100;
  },
  /** What stands in for a limit that is no integer in range; undefined refuses it. */
  limitInstead(_limit: number, _ask: Ask): number | undefined {
    return undefined;
  },
  /** How many items an accepted limit asks for. */
  pageSize(limit: number, _ask: Ask): number {
    return limit;
  },
  readCursor(text: string, _ask: Ask): string {
    return text;
  },
  /** The items in the order in which they are paged through. */
  sequence(items: readonly Item[], _ask: Ask): readonly Item[] {
    return items;
  },
  precedes(left: Item, right: Item, _ask: Ask): boolean {
    return newestFirst(left, right) < 0;
  },
  /** Whether an item of the whole list serves as cursor. */
  cursorNames(item: Item, cursor: string, _ask: Ask): boolean {
    return item.id === cursor;
  },
  /** Where the page begins, given the place of the first item that follows the cursor. */
  pageStart(following: number, _items: readonly Item[], _ask: Ask): number {
    return following;
  },
  /** Whether the ID of an item that left the list still has its place there. */
  cursorOutlivesItem(_ask: Ask): boolean {
    return true;
  },
  /** What a cursor that nobody issued gives. */
  unknownCursor(_cursor: string, _ask: Ask): 'refuse' | 'beginning' | 'end' {
    return 'refuse';
  },
  /** Whether items exist after this page. */
  hasMore(end: number, total: number, _size: number, _ask: Ask): boolean {
    return end < total;
  },
  nextCursor(page: readonly Item[], hasMore: boolean, _following: Item | undefined, _ask: Ask): string | null {
    return hasMore ? (page.at(-1)?.id ?? null) : null;
  },
  /** The items that go out: a last look at the page. */
  pageItems(page: readonly Item[], _all: readonly Item[], _ask: Ask): readonly Item[] {
    return page;
  },
  pagination(meta: JsonObject, _ask: Ask): JsonObject {
    return meta;
  },
  /** The page around its records, which are JSON texts joined by commas. Asks for nothing else, so that it is remembered. */
  pageText(records: string, pagination: JsonObject): string {
    return `{"data":[${records}],"pagination":${JSON.stringify(pagination)}}`;
  },
  listStatus(_ask: Ask): number {
    return 200;
  },
} as const;
