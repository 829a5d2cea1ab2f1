import { existsSync } from 'node:fs';
import { TargetFileError } from '../../targets/target-file-error.ts';
import { parseTarget } from '../../targets/target-file.ts';
import { UserError } from '../shared/user-error.ts';
import { writeWhole } from '../shared/write-whole.ts';
import type { PrincipalAnswer } from './answers.ts';

/** Rejects a file that is there already. */
export function mustBeNew(path: string, force: boolean): void {
  if (!force && existsSync(path)) {
    throw new UserError(`${path} is there already: name another file, or give --force to replace it.`);
  }
}

/** Writes a target file that can be read, or none. Whether the variables are set now does not matter. */
export async function writeTarget(path: string, text: string, principals: readonly PrincipalAnswer[]): Promise<void> {
  const keys = principals.map(({ variable }, index) => [variable, `key-${index}`] as const);
  try {
    parseTarget(text, path, Object.fromEntries(keys));
  } catch (error) {
    if (!(error instanceof TargetFileError)) throw error;
    const problems = error.problems.map(({ message }) => message).join('; ');
    throw new UserError(`these answers make no target file: ${problems}.`);
  }
  await writeWhole(path, text);
}
