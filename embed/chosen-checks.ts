import type { Check } from '../harness/check.ts';
import { suites } from '../suites/index.ts';
import { selectChecks } from '../suites/plan.ts';
import { CannotRun } from './cannot-run.ts';

export type Choice = {
  /** Patterns of ids of checks or requirements; without any, all are run. One that fits no check is an error. */
  readonly only?: readonly string[];
};

/** Every check there is, and those that are to run. Throws {@link CannotRun}. */
export function chosenChecks({ only = [] }: Choice): {
  readonly all: readonly Check[];
  readonly selected: readonly Check[];
} {
  for (const pattern of only) {
    if (selectChecks(suites, [pattern]).length === 0) throw new CannotRun('usage', `no check fits only: ${pattern}.`);
  }
  return { all: suites, selected: selectChecks(suites, only) };
}
