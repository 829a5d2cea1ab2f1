import type { Target } from '../../core/target.ts';
import { TargetFileError } from '../../targets/target-file-error.ts';
import { parseTarget } from '../../targets/target-file.ts';
import { UserError } from '../shared/user-error.ts';

/** The target of a text that was made of answers, as the file at that path. Throws UserError if it is not valid. */
export function answeredTarget(
  text: string,
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
): Target {
  try {
    return parseTarget(text, path, environment).target;
  } catch (error) {
    if (!(error instanceof TargetFileError)) throw error;
    const problems = error.problems.map(({ message }) => message).join('; ');
    throw new UserError(`these answers do not make a valid target file: ${problems}.`);
  }
}
