import type { Trace } from '../../core/http.ts';
import { hash } from '../../core/hash.ts';

/** The trace of the n-th request of a run. It follows from the run alone, so that a recorded run has the same traces again. */
export function createTraces(runId: string): (ordinal: number) => Trace {
  const run = hash(`${runId} `);
  return (ordinal) => new RunTrace(run, ordinal);
}

/** Written when it is read: a deployment in this process reads no trace. */
class RunTrace implements Trace {
  readonly #run: number;
  readonly #ordinal: number;

  /** `run`: the hash of what comes before the ordinal. */
  constructor(run: number, ordinal: number) {
    this.#run = run;
    this.#ordinal = ordinal;
  }

  get traceId(): string {
    return this.#digits(32, 'trace');
  }

  get spanId(): string {
    return this.#digits(16, 'span');
  }

  #digits(count: number, what: string): string {
    const request = hash(`${this.#ordinal} ${what} `, this.#run);
    return Array.from({ length: count / 8 }, (_, part) =>
      // No part is 0: a trace of zeros is invalid.
      (hash(`${part}`, request) || 1).toString(16).padStart(8, '0'),
    ).join('');
  }
}
