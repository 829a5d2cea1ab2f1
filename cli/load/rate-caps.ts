import { createRateCap, type RateCap } from '../../load/engine/rate-cap.ts';
import type { Target } from '../../core/target.ts';

/** The limit of a deployment, which all requests of a command share: those that look at it first, and those of every run. */
export type RateCaps = (target: Pick<Target, 'baseUrl' | 'limits'>) => RateCap;

/** Each of so many parts gets an equal share of the limit. If target files of one deployment differ, the lower limit holds. */
export function createRateCaps(parts: number): RateCaps {
  const created = new Map<string, { readonly most: number; readonly rateCap: RateCap }>();
  return ({ baseUrl, limits: { maxRequestsPerSecond: most } }) => {
    const known = created.get(baseUrl);
    if (known !== undefined && known.most <= most) return known.rateCap;
    const rateCap = createRateCap(most / parts);
    created.set(baseUrl, { most, rateCap });
    return rateCap;
  };
}
