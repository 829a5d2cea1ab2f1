import fc from 'fast-check';
import type { Api } from './api.ts';
import { describe } from '../core/text.ts';
import { Blocked, type Counterexample, Violation } from './verdict.ts';

/** A violation found by a property, with the shrunk values that show it. */
export class CounterexampleFound extends Error {
  override readonly name = 'CounterexampleFound';
  readonly counterexample: Counterexample;

  constructor(violation: Violation, counterexample: Counterexample) {
    super(violation.message, { cause: violation });
    this.counterexample = counterexample;
  }
}

export type Budget = {
  /** The number of values to try. */
  readonly runs: number;
  /** The number of requests for trying and shrinking; then the smallest failing case so far is reported. */
  readonly requests: number;
};

/**
 * Tries a property on `budget.runs` drawn values. A violation is shrunk within the budget of requests and thrown as
 * CounterexampleFound; any other error (Blocked, no answer) ends the property and is rethrown.
 */
export async function forAll<Value>(
  api: Api,
  values: fc.Arbitrary<Value>,
  budget: Budget,
  holds: (value: Value) => Promise<void>,
  /** The value, in words that a reader understands without knowing the check. */
  shownAs: (value: Value) => string = (value) => describe(value, 2000),
): Promise<void> {
  const sentBefore = api.sent;
  const spent = () => api.sent - sentBefore;
  let tried = 0;
  let violation: Violation | undefined;
  let interruption: { readonly error: unknown } | undefined;

  const property = fc.asyncProperty(values, async (value) => {
    if (interruption !== undefined || spent() >= budget.requests) return true;
    try {
      await holds(value);
      tried += 1;
      return true;
    } catch (error) {
      if (error instanceof Violation) {
        violation = error;
        return false;
      }
      interruption = { error };
      return true;
    }
  });
  const result = await fc.check(property, {
    seed: api.seed,
    numRuns: api.replayPath === undefined ? budget.runs : 1,
    ...(api.replayPath === undefined ? {} : { path: api.replayPath, endOnFailure: true }),
  });
  if (violation !== undefined && result.failed) {
    const path = result.counterexamplePath ?? '0';
    const [value] = result.counterexample ?? [];
    const values = value === undefined ? '' : shownAs(value).slice(0, 4000);
    throw new CounterexampleFound(violation, { seed: api.seed, path, values });
  }
  if (interruption !== undefined) throw interruption.error;
  if (tried === 0) throw new Blocked('the budget of requests was spent before the property could be tried');
}
