import type { Item } from '../data/item.ts';
import type { JsonObject } from '../http/json.ts';
import type { Request } from '../http/request.ts';

/** Section 4.6: how lists show a deleted data source. */
export const sourceRules = {
  deletedListed(_source: Item, _deletedAt: number, _request: Request): boolean {
    return false;
  },
  /** The record of a deleted data source, marked as deleted. */
  deletedMark(record: JsonObject, _deletedAt: string, _request: Request): JsonObject {
    return record;
  },
} as const;
