/** The current figures of a run, and the outcomes of its requests so far. */
export type LiveFigures = {
  /** The time that the current figures cover. */
  readonly seconds: number;
  readonly offeredPerSecond: number;
  /** Successes. */
  readonly succeededPerSecond: number;
  /** Undefined while nothing was answered. */
  readonly latencyMs: { readonly p50: number; readonly p95: number; readonly p99: number } | undefined;
  readonly lagMs: number;
  /** Requests that are not over yet. */
  readonly waiting: {
    readonly requests: number;
    /** How long the oldest has waited at least. */
    readonly oldestMs: number;
  };
  /** Requests so far that were dropped because of the limit of the target file. */
  readonly capped: number;
  /** All requests so far by status or failure, the most frequent first. */
  readonly outcomes: readonly (readonly [string, number])[];
};

/** A load in progress, beside its record so far. */
export type LiveLoad = {
  /** Since the measured part began; below 0 in the warm-up. */
  readonly elapsedMs: number;
  readonly figures: LiveFigures;
};
