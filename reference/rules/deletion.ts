import type { Item } from '../data/item.ts';
import type { JsonObject } from '../http/json.ts';
import type { Request } from '../http/request.ts';

/** Section 4.6. */
export const deletionRules = {
  deleteStatus(_request: Request): number {
    return 200;
  },
  deleteAnswer(record: JsonObject, _request: Request): JsonObject {
    return { data: record };
  },
  /** What deleting a data source again does. */
  secondDelete(_request: Request): 'refuse' | 'again' {
    return 'refuse';
  },
  /** Milliseconds from a deletion to the run of its cleanup job. */
  cleanupMs(_request: Request): number {
    return 3000;
  },
  /** Whether the cleanup job removes a model of a deleted data source. */
  cleanupRemoves(_model: Item, _request: Request): boolean {
    return true;
  },
} as const;
