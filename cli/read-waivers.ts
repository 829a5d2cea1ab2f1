import type { Waiver } from '../reports/record.ts';
import { suites } from '../suites/index.ts';
import { TargetFileError } from '../targets/target-file-error.ts';
import { loadWaivers } from '../waivers/waiver-file.ts';
import type { Context } from './context.ts';
import { UserError } from './user-error.ts';

/** The waivers in a file, none without one. Throws UserError with everything that is wrong with it. */
export function readWaivers(path: string | undefined, { env }: Pick<Context, 'env'>): readonly Waiver[] {
  if (path === undefined) return [];
  try {
    return loadWaivers(path, env, suites);
  } catch (error) {
    if (error instanceof TargetFileError) throw new UserError(error.message);
    throw error;
  }
}
