/** A wait longer than this is tried out before it is believed, in milliseconds. */
const doubtedMs = 20_000;
/** After this time, in milliseconds, a request shows whether such a wait is far too long. */
const trialMs = 5000;
/** Requests wait for less than they are asked to at most this often: others may have used up what was free. */
const mostTrials = 3;

/** One request that a limit refuses. */
export type RefusedRequest = {
  /** How long it waits, in milliseconds, for a limit that asks for so many. */
  readonly believedMs: (askedMs: number) => number;
  readonly passed: () => void;
};

/**
 * How long requests wait for a limit that asks for long waits. The first ones try again after {@link trialMs}. If one of them passes,
 * later ones do the same, because a run that obeys would take many times as long. If all are refused, the limit is believed.
 */
export function createLongWaits(): { readonly begin: () => RefusedRequest } {
  let believed: 'untried' | 'yes' | 'no' = 'untried';
  return {
    begin() {
      let trials = 0;
      let isTrial = false;
      return {
        believedMs(askedMs) {
          if (isTrial && believed === 'untried') believed = 'yes';
          isTrial = askedMs > doubtedMs && believed !== 'yes' && trials < mostTrials;
          if (!isTrial) return askedMs;
          trials += 1;
          return trialMs;
        },
        passed() {
          if (isTrial && believed === 'untried') believed = 'no';
        },
      };
    },
  };
}
