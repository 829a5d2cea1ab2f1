import type { Request } from '../http/request.ts';
import type { Item, Place } from '../data/item.ts';
import type { JsonObject } from '../http/json.ts';

/** Sections 2.5 and 4.5. */
export const sourceRules = {
  /** Whether a deleted data source is still listed. */
  deletedListed(_source: Item, _deletedAt: number, _request: Request): boolean {
    return false;
  },
  /** How a deleted data source is marked, where it is shown. */
  deletedMark(record: JsonObject, _deletedAt: string, _request: Request): JsonObject {
    return record;
  },
  sourcesOf(own: readonly Item[], _foreign: () => readonly Item[], _request: Request): readonly Item[] {
    return own;
  },
  /** The record as it goes out in a list; the same object lets its text be reused. */
  sourceShown(record: JsonObject, _place: Place, _request: Request): JsonObject {
    return record;
  },
} as const;
