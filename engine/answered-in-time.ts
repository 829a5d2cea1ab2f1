import { NotSent } from './session/breaker.ts';
import { TransportError } from '../core/http.ts';
import { Violation } from './verdict.ts';

/**
 * What it makes. An answer that is promised at some time, and for which a client waits in vain until long after, breaks that
 * promise: whoever judges times has seen enough, and need not end without a verdict.
 */
export async function answeredInTime<Value>(promised: string, make: () => Promise<Value>): Promise<Value> {
  try {
    return await make();
  } catch (error) {
    const isLate = error instanceof TransportError && error.failure === 'timeout' && !(error instanceof NotSent);
    throw isLate ? new Violation(promised, error.message) : error;
  }
}
