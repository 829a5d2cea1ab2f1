import type { Operation } from '../../../spec/requirement.ts';
import type { Clock } from '../../../core/clock.ts';
import type { Exchange } from '../../../core/exchange.ts';
import { TransportError, type TransportFailure } from '../../../core/http.ts';

/** After this many requests of one operation in a row without an answer, the operation is paused. */
const limit = 3;
/** The interval at which a paused operation is tried again, in milliseconds. */
const restMs = 30_000;

/** The request was not sent because earlier requests of its operation got no answer, so it says nothing about the target. */
export class NotSent extends TransportError {}

type Breaker = {
  /** Throws NotSent while the operation is paused. */
  readonly pass: (operation: Operation) => void;
  readonly note: (exchange: Exchange) => void;
  /** Resumes all operations. */
  readonly close: () => void;
};

type Unanswered = { readonly count: number; readonly failure: TransportFailure; readonly triedAt: number };

/** Lets a run against a hanging target end soon, instead of after one timeout for each request. */
export function createBreaker(clock: Clock): Breaker {
  const unanswered = new Map<Operation, Unanswered>();
  return {
    pass(operation) {
      const down = unanswered.get(operation);
      if (down === undefined || down.count < limit) return;
      const now = clock.now();
      if (now >= down.triedAt + restMs) return void unanswered.set(operation, { ...down, triedAt: now });
      throw new NotSent(down.failure, `not sent: ${operation} left ${down.count} requests in a row unanswered`);
    },
    note({ operation, outcome, sentAt }) {
      if (outcome.kind === 'answered') return void unanswered.delete(operation);
      const earlier = unanswered.get(operation);
      // Requests that wait together, such as in a queue for one chat, show no more than one of them.
      if (earlier !== undefined && sentAt < earlier.triedAt && earlier.count < limit) return;
      const count = (earlier?.count ?? 0) + 1;
      unanswered.set(operation, { count, failure: outcome.failure, triedAt: clock.now() });
    },
    close: () => unanswered.clear(),
  };
}
