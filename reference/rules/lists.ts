import { type Item, newestFirst } from '../data/item.ts';
import type { JsonObject } from '../http/json.ts';
import type { Request } from '../http/request.ts';

/** Sections 2.2, 4.1, 4.5 and 8. */
export const listRules = {
  /** The number of items asked for; NaN where it is no integer. */
  readLimit(text: string | undefined, _request: Request): number {
    if (text === undefined) return 50;
    return /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  },
  limitInRange(limit: number, _request: Request): boolean {
    return limit >= 1 && limit <= 100;
  },
  /** What replaces a limit that is no integer in range; undefined refuses it. */
  limitInstead(_limit: number, _request: Request): number | undefined {
    return undefined;
  },
  precedes(left: Item, right: Item, _request: Request): boolean {
    return newestFirst(left, right) < 0;
  },
  cursorNames(item: Item, cursor: string, _request: Request): boolean {
    return item.id === cursor;
  },
  /** Whether the ID of an item that left the list keeps its place there. */
  cursorOutlivesItem(_request: Request): boolean {
    return true;
  },
  /** What a cursor gives that is no ID of the list. */
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
  /** The page around its records, which are JSON texts joined by commas. A pure function, so that its text can be reused. */
  pageText(records: string, pagination: JsonObject): string {
    return `{"data":[${records}],"pagination":${JSON.stringify(pagination)}}`;
  },
  /** The success status of both lists and of a billing account. */
  readStatus(_request: Request): number {
    return 200;
  },
} as const;
