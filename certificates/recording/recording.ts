import type { HttpRequest, HttpResponse, TransportFailure } from '../../core/http.ts';

/** A request as it is kept: how long it might have taken is the suite's own affair. */
export type RecordedRequest = Omit<HttpRequest, 'timeoutMs'>;

/** What came of one request. */
export type RecordedOutcome =
  | { readonly kind: 'answered'; readonly response: HttpResponse }
  | { readonly kind: 'failed'; readonly failure: TransportFailure; readonly message: string };

/**
 * Something that came to the suite from outside: what became of a request, or the end of a sleep. `clock` are the times
 * that the suite read since the event before, in milliseconds since the start.
 */
export type RecordedEvent = { readonly clock: readonly number[] } & (
  | {
      readonly kind: 'exchange';
      /** Counted from 0 in the order of sending. */
      readonly number: number;
      readonly request: RecordedRequest;
      readonly outcome: RecordedOutcome;
    }
  | {
      readonly kind: 'wake';
      /** Counted from 0 in the order of falling asleep. */
      readonly sleep: number;
    }
);

/**
 * All that a run of the suite learned from outside, in the order in which it learned it. Everything else in a run follows
 * from the suite, the target and the seed, so that the same run can be made again from this alone.
 */
export type Recording = {
  /** Milliseconds since the epoch: the zero of every time in it. */
  readonly startMs: number;
  readonly events: readonly RecordedEvent[];
  /** The times that were read after the last event. */
  readonly clockAtEnd: readonly number[];
};
