import type { TransportFailure } from '../../core/http.ts';
import type { Operation } from '../../spec/requirement.ts';

/** What became of a request: the status of its answer, or how it got none. */
export type Outcome = number | TransportFailure;

/** What outcomes amount to. `conflict` is a 409 on a message: the chat was busy, which is a right answer. */
export const outcomeClasses = ['ok', 'rateLimited', 'conflict', 'refused', 'failed', 'timeout', 'transport'] as const;
export type OutcomeClass = (typeof outcomeClasses)[number];

export function classOf(outcome: Outcome, operation: Operation): OutcomeClass {
  if (outcome === 'timeout') return 'timeout';
  if (typeof outcome === 'string') return 'transport';
  if (outcome >= 200 && outcome < 300) return 'ok';
  if (outcome === 429) return 'rateLimited';
  if (outcome === 409 && operation === 'sendMessage') return 'conflict';
  return outcome >= 500 ? 'failed' : 'refused';
}

/** Whether a request of that class counts among the errors: each request of a load is one that ought to succeed. */
export function isError(kind: OutcomeClass, rateLimitedIsError: boolean): boolean {
  return kind === 'rateLimited' ? rateLimitedIsError : kind !== 'ok' && kind !== 'conflict';
}

/** Whether its time is what a user waited: successes, and what was waited for in vain. A quick refusal flatters nobody. */
export function isLatency(kind: OutcomeClass): boolean {
  return kind === 'ok' || kind === 'timeout';
}
