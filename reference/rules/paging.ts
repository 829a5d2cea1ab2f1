import type { Request } from '../http/request.ts';
import { type Item, newestFirst } from '../data/item.ts';
import type { JsonObject } from '../http/json.ts';

/** Sections 2.2, 4.1, 4.5 and 8. */
export const pagingRules = {
  limitMayBeLeftOut(_request: Request): boolean {
    return true;
  },
  defaultLimit(_request: Request): number {
    return 50;
  },
  /** The number that a limit is written as; NaN where it is none. */
  readLimit(text: string, _request: Request): number {
    return /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  },
  limitInRange(limit: number, _request: Request): boolean {
    return limit >= 1 && limit <= 100;
  },
  /** What stands in for a limit that is no integer in range; undefined refuses it. */
  limitInstead(_limit: number, _request: Request): number | undefined {
    return undefined;
  },
  /** How many items an accepted limit asks for. */
  pageSize(limit: number, _request: Request): number {
    return limit;
  },
  readCursor(text: string, _request: Request): string {
    return text;
  },
  /** The items in the order in which they are paged through. */
  sequence(items: readonly Item[], _request: Request): readonly Item[] {
    return items;
  },
  precedes(left: Item, right: Item, _request: Request): boolean {
    return newestFirst(left, right) < 0;
  },
  /** Whether an item of the whole list serves as cursor. */
  cursorNames(item: Item, cursor: string, _request: Request): boolean {
    return item.id === cursor;
  },
  /** Where the page begins, given the place of the first item that follows the cursor. */
  pageStart(following: number, _items: readonly Item[], _request: Request): number {
    return following;
  },
  /** Whether the ID of an item that left the list still has its place there. */
  cursorOutlivesItem(_request: Request): boolean {
    return true;
  },
  /** What a cursor that nobody issued gives. */
  unknownCursor(_cursor: string, _request: Request): 'refuse' | 'beginning' | 'end' {
    return 'refuse';
  },
  /** Whether items exist after this page. */
  hasMore(end: number, total: number, _size: number, _request: Request): boolean {
    return end < total;
  },
  nextCursor(page: readonly Item[], hasMore: boolean, _following: Item | undefined, _request: Request): string | null {
    return hasMore ? (page.at(-1)?.id ?? null) : null;
  },
  /** The items that go out: a last look at the page. */
  pageItems(page: readonly Item[], _all: readonly Item[], _request: Request): readonly Item[] {
    return page;
  },
  pagination(meta: JsonObject, _request: Request): JsonObject {
    return meta;
  },
  /** The page around its records, which are JSON texts joined by commas. Asks for nothing else, so that it is remembered. */
  pageText(records: string, pagination: JsonObject): string {
    return `{"data":[${records}],"pagination":${JSON.stringify(pagination)}}`;
  },
  listStatus(_request: Request): number {
    return 200;
  },
} as const;
