import type { Target } from '../core/target.ts';
import { createRateCap } from '../load/engine/rate-cap.ts';
import type { LoadOptions } from '../load/profile/profile.ts';
import { wholeLoad } from '../load/schedule/arrivals.ts';

/** A whole run that begins at once, and that nothing follows or ends. */
export function plainOptions(target: Target): LoadOptions {
  return {
    target,
    isEmbedded: false,
    seed: 1,
    shard: wholeLoad,
    rateCap: createRateCap(target.limits.maxRequestsPerSecond),
    startAt: undefined,
    signal: new AbortController().signal,
    onProgress: () => {},
    isWatched: () => false,
  };
}
