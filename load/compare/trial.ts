/** Answers counted by latency: each latency in whole microseconds, ascending, with the number of answers that had it. */
export type LatencyCounts = { readonly latenciesUs: readonly number[]; readonly counts: readonly number[] };

/** A stretch of a trial, a second as a rule. */
export type Block = {
  readonly latency: LatencyCounts;
  /** Answers that count as throughput. */
  readonly answers: number;
  readonly durationMs: number;
};

/** One uninterrupted measurement of one build, after its warm-up; its blocks in the order of time. */
export type Trial = { readonly blocks: readonly Block[] };

/** A trial of each build, one right after the other. Which went first alternates: A B, B A, A B, … */
export type Round = { readonly a: Trial; readonly b: Trial };

/** What a comparison has to go by. */
export type Trials =
  | {
      /** Trials of the two builds alternated, so that what the machine did meanwhile happened to both. */
      readonly kind: 'interleaved';
      readonly rounds: readonly Round[];
    }
  | {
      /** The builds were measured apart, perhaps on other days. */
      readonly kind: 'separate';
      readonly a: readonly Trial[];
      readonly b: readonly Trial[];
    };
