import type { Check } from '../../engine/check.ts';
import { allChecks, OwnChecksError } from '../../suites/own-checks.ts';
import { UserError } from '../shared/user-error.ts';

/** All checks, including those of a folder that the user names. Rejects with UserError if the folder is wrong. */
export async function readSuites(folder: string | undefined): Promise<readonly Check<string>[]> {
  try {
    return await allChecks(folder);
  } catch (error) {
    throw error instanceof OwnChecksError ? new UserError(error.message) : error;
  }
}
