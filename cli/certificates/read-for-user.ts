import { Malformed } from '../../certificates/bundle/bundle.ts';
import { UserError } from '../shared/user-error.ts';

/** The result of reading what a user named. A file that is malformed becomes a UserError with the same sentence. */
export async function readForUser<Result>(read: () => Promise<Result> | Result): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Malformed) throw new UserError(`${error.message}.`);
    throw error;
  }
}
