import type { Request } from '../http/request.ts';
import type { Item, Place } from '../data/item.ts';
import type { JsonObject } from '../http/json.ts';

/** Sections 2.1 and 4.1. */
export const modelRules = {
  /** The ID by which the list is filtered, as the query has it. */
  readFilter(text: string | undefined, _cursor: string | undefined, _request: Request): string | undefined {
    return text;
  },
  filterMatches(model: Item, sourceId: string, _request: Request): boolean {
    return model.sourceId === sourceId;
  },
  /** Whether a filter by a data source that is found there is answered at all; `unused`: here, and without models. */
  filterKnown(where: 'here' | 'unused' | 'deleted' | 'elsewhere' | 'nowhere', _request: Request): boolean {
    return where === 'here' || where === 'unused';
  },
  /** The models of the path's organization; a rule that adds others leaks them. */
  modelsOf(own: readonly Item[], _foreign: () => readonly Item[], _request: Request): readonly Item[] {
    return own;
  },
  /** The record as it goes out; the same object lets its text be reused. */
  modelShown(record: JsonObject, _place: Place, _request: Request): JsonObject {
    return record;
  },
} as const;
