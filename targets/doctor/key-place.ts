import type { Principal } from '../../core/target.ts';

/** Where somebody who has to put a key right finds it. */
export function keyPlace({ variable, isWritten }: Pick<Principal, 'variable' | 'isWritten'>): string {
  return isWritten === true ? 'the key in the file' : variable;
}
