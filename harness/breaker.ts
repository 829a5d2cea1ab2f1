import type { Operation } from '../spec/requirement.ts';
import type { Exchange } from './exchange.ts';
import { TransportError, type TransportFailure } from './http.ts';

/** After so many requests of one operation in a row without an answer, no more are sent. */
const limit = 3;

/** A request that was not sent, because others of its operation got no answer: of itself it says nothing. */
export class NotSent extends TransportError {}

export type Breaker = {
  /** Throws NotSent where the operation is not sent any more. */
  readonly pass: (operation: Operation) => void;
  readonly note: (exchange: Exchange) => void;
  /** Everything may be sent again. */
  readonly close: () => void;
};

/** Ends a run against a hanging target in a verdict, and not in one timeout after the other. */
export function createBreaker(): Breaker {
  const unanswered = new Map<Operation, { readonly count: number; readonly failure: TransportFailure }>();
  return {
    pass(operation) {
      const down = unanswered.get(operation);
      if (down === undefined || down.count < limit) return;
      throw new NotSent(down.failure, `not sent: ${operation} left ${down.count} requests in a row unanswered`);
    },
    note({ operation, outcome }) {
      if (outcome.kind === 'answered') unanswered.delete(operation);
      else unanswered.set(operation, { count: (unanswered.get(operation)?.count ?? 0) + 1, failure: outcome.failure });
    },
    close: () => unanswered.clear(),
  };
}
