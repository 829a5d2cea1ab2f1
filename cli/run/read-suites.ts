import type { Check } from '../../engine/check.ts';
import { noWaivers, type Waivers } from '../../reports/record/waivers.ts';
import { allChecks, OwnChecksError } from '../../suites/own-checks.ts';
import { loadWaivers } from '../../waivers/waiver-file.ts';
import type { Waivable } from '../../waivers/waiver-sense.ts';
import type { Context } from '../shared/context.ts';
import { forUser } from '../shared/for-user.ts';
import { UserError } from '../shared/user-error.ts';

/** All checks, including those of a folder that the user names. Rejects with UserError if the folder is wrong. */
export async function readSuites(folder: string | undefined): Promise<readonly Check<string>[]> {
  try {
    return await allChecks(folder);
  } catch (error) {
    throw error instanceof OwnChecksError ? new UserError(error.message) : error;
  }
}

/** The waivers and accepted gaps in a file; none without a file. Throws UserError with all problems of the file. */
export function readWaivers(
  path: string | undefined,
  waivable: readonly Waivable[],
  { env }: Pick<Context, 'env'>,
): Waivers {
  if (path === undefined) return noWaivers;
  return forUser(() => loadWaivers(path, env, waivable));
}
