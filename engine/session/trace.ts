import type { Trace } from '../../core/http.ts';
import { hash } from '../../core/hash.ts';

/** The trace of the n-th request of a run. It follows from the run alone, so that a recorded run has the same traces again. */
export function traceOf(runId: string, ordinal: number): Trace {
  const digits = (count: number, what: string) =>
    Array.from({ length: count / 8 }, (_, part) =>
      // No part is 0: a trace of zeros is invalid.
      (hash(`${runId} ${ordinal} ${what} ${part}`) || 1).toString(16).padStart(8, '0'),
    ).join('');
  return { traceId: digits(32, 'trace'), spanId: digits(16, 'span') };
}
