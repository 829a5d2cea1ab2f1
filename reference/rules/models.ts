import type { Item } from '../data/item.ts';
import type { Request } from '../http/request.ts';

/** Where the data source of a filter is; `unused`: in the organization, but without models. */
export type Whereabouts = 'here' | 'unused' | 'deleted' | 'elsewhere' | 'nowhere';

/** Section 4.1. */
export const modelRules = {
  filterMatches(model: Item, sourceId: string, _request: Request): boolean {
    return model.sourceId === sourceId;
  },
  /** Whether a filter by that data source is answered with a list. */
  filterKnown(where: Whereabouts, _request: Request): boolean {
    return where === 'here' || where === 'unused';
  },
} as const;
