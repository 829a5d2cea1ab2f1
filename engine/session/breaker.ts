import type { Operation } from '../../spec/requirement.ts';
import type { Clock } from '../../core/clock.ts';
import type { Exchange } from '../../core/exchange.ts';
import { TransportError, type TransportFailure } from '../../core/http.ts';

/** After so many requests of one operation in a row without an answer, no more are sent for a while. */
const limit = 3;
/** Then one is tried every so often, in milliseconds: the target may be back. */
const restMs = 30_000;

/** A request that was not sent, because others of its operation got no answer: of itself it says nothing. */
export class NotSent extends TransportError {}

type Breaker = {
  /** Throws NotSent where the operation is not sent now. */
  readonly pass: (operation: Operation) => void;
  readonly note: (exchange: Exchange) => void;
  /** Everything may be sent again. */
  readonly close: () => void;
};

type Unanswered = { readonly count: number; readonly failure: TransportFailure; readonly triedAt: number };

/** Ends a run against a hanging target in a verdict, and not in one timeout after the other. */
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
    note({ operation, outcome }) {
      if (outcome.kind === 'answered') return void unanswered.delete(operation);
      const count = (unanswered.get(operation)?.count ?? 0) + 1;
      unanswered.set(operation, { count, failure: outcome.failure, triedAt: clock.now() });
    },
    close: () => unanswered.clear(),
  };
}
