import type { Trace } from '../../core/http.ts';
import { hash } from '../../core/hash.ts';

/** The trace of the n-th request of a run. It follows from the run alone, so that a recorded run has the same traces again. */
export function createTraces(runId: string): (ordinal: number) => Trace {
  const run = hash(`${runId} `);
  return (ordinal) => {
    const request = hash(`${ordinal} `, run);
    // No part is 0: a trace of zeros is invalid.
    const digits = (part: string): string => (hash(part, request) || 1).toString(16).padStart(8, '0');
    return {
      traceId: digits('trace 0') + digits('trace 1') + digits('trace 2') + digits('trace 3'),
      spanId: digits('span 0') + digits('span 1'),
    };
  };
}
