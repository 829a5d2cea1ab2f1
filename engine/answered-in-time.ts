import { NotSent } from './session/unanswered/breaker.ts';
import { TransportError } from '../core/http.ts';
import { Violation } from './verdict.ts';

/**
 * The result of `make`. An answer that is promised within some time and does not arrive until long after is a violation,
 * so a check of times ends in a verdict and not in an error.
 */
export async function answeredInTime<Value>(promised: string, make: () => Promise<Value>): Promise<Value> {
  try {
    return await make();
  } catch (error) {
    const isLate = error instanceof TransportError && error.failure === 'timeout' && !(error instanceof NotSent);
    throw isLate ? new Violation(promised, error.message) : error;
  }
}
