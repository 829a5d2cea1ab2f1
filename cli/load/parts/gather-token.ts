import type { Context } from '../../shared/context.ts';
import { UserError } from '../../shared/user-error.ts';

/** The secret that the coordinator and the parts of a load share; undefined if there is none. Throws UserError if it is weak. */
export function gatherToken(env: Context['env']): string | undefined {
  const token = env['AWC_GATHER_TOKEN'];
  if (token === undefined || token === '') return undefined;
  if (/^[\x21-\x7e]{16,256}$/.test(token)) return token;
  throw new UserError('AWC_GATHER_TOKEN must have 16 to 256 printable ASCII characters without spaces.');
}
