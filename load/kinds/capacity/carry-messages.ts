import type { Ended } from './judged.ts';

/** Those of low rates are carried first, because more trials can repeat them. */
const mostCarried = 20;

type Carried = { readonly first: Ended; readonly ratePerSecond: number };

export type CarryOptions = {
  /** Milliseconds, as in the instants of the messages. */
  readonly now: () => number;
  /** Older messages are not carried, because no response takes longer. */
  readonly mostMs: number;
};

/**
 * Messages whose responses were not finished at the end of their trial. Later trials repeat them, because a response may take longer than
 * a trial. A trial at a lower rate does not: it would answer for a key that was lost at a higher one.
 */
export function carryMessages({ now, mostMs }: CarryOptions) {
  let carried: readonly Carried[] = [];
  return {
    /** The first requests of the messages that a trial at this rate repeats. */
    to: (ratePerSecond: number): readonly Ended[] =>
      carried.filter((one) => one.ratePerSecond <= ratePerSecond).map(({ first }) => first),

    /** What was unfinished at the end of a trial, also of the messages that it was given. */
    from(ratePerSecond: number, unfinished: readonly Ended[]): void {
      const kept = carried.filter((one) => one.ratePerSecond > ratePerSecond || unfinished.includes(one.first));
      const known = new Set(carried.map(({ first }) => first));
      const added = unfinished.filter((first) => !known.has(first)).map((first) => ({ first, ratePerSecond }));
      carried = [...kept, ...added]
        .filter(({ first }) => first.endedAt > now() - mostMs)
        .sort((one, other) => one.ratePerSecond - other.ratePerSecond)
        .slice(0, mostCarried);
    },
  };
}
