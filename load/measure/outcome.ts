import type { TransportFailure } from '../../core/http.ts';
import type { Operation } from '../../spec/requirement.ts';
import type { OutcomeClass } from '../../reports/load/load-record.ts';
import { onceOperations } from '../profile/mix.ts';
import type { Share } from '../profile/threshold.ts';

/** The result of a request: the status of its answer, or why it got none. */
export type Outcome = number | TransportFailure;

/**
 * The class of an outcome. `conflict` is a correct answer to a request that came at the wrong time: a 409 on a message, because
 * the chat was busy, or a refused deletion or attachment, because it may have been done before.
 */
export function classOf(outcome: Outcome, operation: Operation): OutcomeClass {
  if (outcome === 'timeout') return 'timeout';
  if (typeof outcome === 'string') return 'transport';
  if (outcome >= 200 && outcome < 300) return 'ok';
  if (outcome === 429) return 'rateLimited';
  if (outcome === 409 && operation === 'sendMessage') return 'conflict';
  if (outcome >= 500) return 'failed';
  return outcome !== 401 && isOnce(operation) ? 'conflict' : 'refused';
}

function isOnce(operation: Operation): boolean {
  return onceOperations.some((one) => one === operation);
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
