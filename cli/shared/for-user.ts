import { Malformed } from '../../certificates/bundle/bundle.ts';
import { TargetFileError } from '../../targets/target-file-error.ts';
import { UserError } from './user-error.ts';

/** The result of reading what a user named. What is wrong with it becomes a UserError. */
export function forUser<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof TargetFileError) throw new UserError(error.message);
    if (error instanceof Malformed) throw new UserError(`${error.message}.`);
    throw error;
  }
}
