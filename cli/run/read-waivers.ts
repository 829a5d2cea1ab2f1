import { noWaivers, type Waivers } from '../../reports/record/waivers.ts';
import { TargetFileError } from '../../targets/target-file-error.ts';
import { loadWaivers } from '../../waivers/waiver-file.ts';
import type { Waivable } from '../../waivers/waiver-sense.ts';
import type { Context } from '../shared/context.ts';
import { UserError } from '../shared/user-error.ts';

/** The waivers and accepted gaps in a file; none without a file. Throws UserError with all problems of the file. */
export function readWaivers(
  path: string | undefined,
  waivable: readonly Waivable[],
  { env }: Pick<Context, 'env'>,
): Waivers {
  if (path === undefined) return noWaivers;
  try {
    return loadWaivers(path, env, waivable);
  } catch (error) {
    if (error instanceof TargetFileError) throw new UserError(error.message);
    throw error;
  }
}
