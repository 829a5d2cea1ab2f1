import type { Check } from '../engine/check.ts';
import { allChecks, OwnChecksError } from '../suites/own-checks.ts';
import { selectChecks } from '../suites/plan.ts';
import { CannotRun } from './cannot-run.ts';

export type Choice = {
  /** Patterns of ids of checks or requirements; by default all checks run. A pattern that matches no check is an error. */
  readonly only?: readonly string[];
  /** The folder of the vendor's own checks, which are run too. */
  readonly suites?: string;
};

type Chosen = { readonly all: readonly Check<string>[]; readonly selected: readonly Check<string>[] };

/** All checks, and the selected ones. Rejects with {@link CannotRun}. */
export async function chosenChecks({ only = [], suites }: Choice): Promise<Chosen> {
  const all = await checksWith(suites);
  for (const pattern of only) {
    if (selectChecks(all, [pattern]).length === 0) throw new CannotRun('usage', `no check matches only: ${pattern}.`);
  }
  return { all, selected: selectChecks(all, only) };
}

async function checksWith(folder: string | undefined): Promise<readonly Check<string>[]> {
  try {
    return await allChecks(folder);
  } catch (error) {
    throw error instanceof OwnChecksError ? new CannotRun('usage', error.message) : error;
  }
}
