import type { Check } from '../../engine/check.ts';
import { allChecks, OwnChecksError } from '../../suites/own-checks.ts';
import { UserError } from '../shared/user-error.ts';

/** All checks, with those of a folder that the user names. Rejects with UserError when something is wrong with it. */
export async function readSuites(folder: string | undefined): Promise<readonly Check<string>[]> {
  try {
    return await allChecks(folder);
  } catch (error) {
    throw error instanceof OwnChecksError ? new UserError(error.message) : error;
  }
}
