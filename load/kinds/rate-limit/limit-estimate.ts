/** A number with its bounds. */
export type Estimate = { readonly value: number; readonly low: number; readonly high: number };

/** `fixed window` alone: the observed resets fit both kinds of fixed window. `alternating`: what was accepted early fits no single window. */
export type LimiterKind =
  | 'fixed window, from its first request'
  | 'fixed window, on the clock'
  | 'fixed window'
  | 'sliding window'
  | 'token bucket'
  | 'alternating'
  | 'unclear';

export type LimitEstimate = {
  /** Requests in a window; undefined if no complete window was observed. */
  readonly quota: Estimate | undefined;
  readonly windowMs: Estimate | undefined;
  readonly kind: LimiterKind;
};

/** What is known apart from the windows. */
export type LimitContext = {
  /** When the first request of all was sent. */
  readonly firstOpenedAt: number;
  /** When the first burst began. */
  readonly startedAt: number;
  /** Requests that were sent before the first burst, and may have used up a part of its quota. */
  readonly sentBefore: number;
  readonly isHonest: boolean;
};
