import type { TransportFailure } from '../../core/http.ts';
import type { Operation } from '../../spec/requirement.ts';
import type { Share } from '../profile/threshold.ts';

/** The result of a request: the status of its answer, or why it got none. */
export type Outcome = number | TransportFailure;

/** Classes of outcomes. `conflict` is a 409 on a message: the chat was busy, which is a correct answer. */
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

/** Whether a request of that class counts as an error: every request of a load should succeed. */
export function isError(kind: OutcomeClass, rateLimitedIsError: boolean): boolean {
  return kind === 'rateLimited' ? rateLimitedIsError : kind !== 'ok' && kind !== 'conflict';
}

/** Whether a request of that class counts in a share that a threshold is about; dropped requests have no class. */
export function isShareOf(kind: OutcomeClass, of: Share, rateLimitedIsError: boolean): boolean {
  if (of === 'errors') return isError(kind, rateLimitedIsError);
  if (of === 'conflicts') return kind === 'conflict';
  return of === 'timeouts' ? kind === 'timeout' : kind === of;
}

/** Whether its time counts as latency: successes and timeouts do. A quick refusal must not improve the latency. */
export function isLatency(kind: OutcomeClass): boolean {
  return kind === 'ok' || kind === 'timeout';
}
