/** How a search for the capacity goes about. */
export type CapacityOptions = {
  /** The first rate that is tried; everything is judged from there upwards. Above 0. */
  readonly fromPerSecond: number;
  /** No rate above this one is tried. At least `fromPerSecond`. */
  readonly toPerSecond: number;
  /** By how many trials the two ends of the final bracket have to be clear. At least 1. */
  readonly repeats: number;
  /** The search ends when the rate that broke is at most this share above the one that held: 0.05. Above 0. */
  readonly precision: number;
};

/** What one trial at one rate came to. */
export type CapacityTrial = {
  readonly ratePerSecond: number;
  /**
   * `held`: every threshold did. `broke`: one of them did not. `generator`: the generator could not keep the rate, so that
   * the trial says nothing of the target.
   */
  readonly outcome: 'held' | 'broke' | 'generator';
  /** Successful answers a second. */
  readonly throughputPerSecond: number;
  /** Latencies from the scheduled instant, in milliseconds. */
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
};
