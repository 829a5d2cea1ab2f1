import type { Latencies } from '../../reports/load/latencies.ts';

/** A stretch of a trial, usually a second. */
export type Block = {
  /** In any order. */
  readonly latency: Latencies['buckets'];
  /** Answers that count as throughput. */
  readonly answers: number;
  readonly durationMs: number;
};

/**
 * The share of the scheduled requests without a success within the measured time. Correct refusals and dropped requests count too:
 * a build that refuses more than the other one has not done the same work.
 */
export type Shortfall = {
  readonly missing: number;
  /** Without those that random arrivals can explain. */
  readonly beyondChance: number;
};

/** The largest of each. */
export function largest(shortfalls: readonly Shortfall[]): Shortfall {
  return {
    missing: Math.max(...shortfalls.map(({ missing }) => missing)),
    beyondChance: Math.max(...shortfalls.map(({ beyondChance }) => beyondChance)),
  };
}

/** One uninterrupted measurement of one build, after its warm-up; its blocks in the order of time. */
export type Trial = {
  readonly blocks: readonly Block[];
  /** Undefined where no schedule sets the rate, or nothing was scheduled. */
  readonly shortfall?: Shortfall | undefined;
};

/** A trial of each build, one right after the other. Which went first alternates: A B, B A, A B, … */
export type Round = { readonly a: Trial; readonly b: Trial };

/** The trials that a comparison is based on. */
export type Trials =
  | {
      /** Trials of the two builds alternated, so that changes of the machine affect both. */
      readonly kind: 'interleaved';
      readonly rounds: readonly Round[];
    }
  | {
      /** The builds were measured at different times, perhaps on different days. */
      readonly kind: 'separate';
      readonly a: readonly Trial[];
      readonly b: readonly Trial[];
    };
