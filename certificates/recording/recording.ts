import type { Exchange } from '../../core/exchange.ts';
import type { HttpRequest } from '../../core/http.ts';

/** A request in a recording, without its timeout, which the deployment does not see. */
export type RecordedRequest = Omit<HttpRequest, 'timeoutMs'>;

/**
 * An event from outside the suite: the outcome of a request, or the end of a sleep. `clock` holds the times that the suite
 * read since the previous event, in milliseconds since the start.
 */
export type RecordedEvent = { readonly clock: readonly number[] } & (
  | {
      readonly kind: 'exchange';
      /** Counted from 0 in the order of sending. */
      readonly number: number;
      readonly request: RecordedRequest;
      readonly outcome: Exchange['outcome'];
    }
  | {
      readonly kind: 'wake';
      /** Counted from 0 in the order of falling asleep. */
      readonly sleep: number;
    }
);

/**
 * Everything that a run learned from outside, in order. The rest of a run follows from the suite, the target and the seed,
 * so the run can be repeated from this alone.
 */
export type Recording = {
  /** The zero of all times in it, in milliseconds since the epoch. */
  readonly startMs: number;
  readonly events: readonly RecordedEvent[];
  /** The times that were read after the last event. */
  readonly clockAtEnd: readonly number[];
};
