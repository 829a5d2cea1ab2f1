import type { Clock } from '../../core/clock.ts';
import { createRateCap, engineClock, type RateCap } from '../../load/engine/rate-cap.ts';
import type { Target } from '../../core/target.ts';

/** The limit of a deployment, which all requests of a command share: those that look at it first, and those of every run. */
export type RateCaps = (target: Pick<Target, 'baseUrl' | 'limits'>) => RateCap;

/** Each of so many parts gets an equal share of the limit. If target files of one deployment differ, the lower limit holds. */
export function createRateCaps(parts: number, clock: Clock = engineClock): RateCaps {
  const created = new Map<string, { readonly most: number; readonly rateCap: RateCap }>();
  return ({ baseUrl, limits: { maxRequestsPerSecond: most } }) => {
    const known = created.get(baseUrl);
    if (known !== undefined && known.most <= most) return known.rateCap;
    // A lower limit does not know what has left under the one before it.
    const usedUpAt = known === undefined ? undefined : clock.now();
    const rateCap = createRateCap(most / parts, clock, usedUpAt);
    created.set(baseUrl, { most, rateCap });
    return rateCap;
  };
}
