import { shown } from '../../core/text.ts';
import { sideEffects } from '../../core/target.ts';
import { TargetFileError } from '../../targets/target-file-error.ts';
import { parseTarget } from '../../targets/target-file.ts';
import type { Answers } from './answers.ts';
import { targetText } from './target-text.ts';

const unanswered: Answers = {
  name: 'init',
  baseUrl: 'https://init.invalid',
  headers: {},
  route: {},
  principals: [],
  chats: {},
  disposable: {},
  accounts: [],
  idempotencyHeader: undefined,
  allow: [],
};

/** What is wrong with a target file of these answers, while others are missing; undefined if nothing is. */
export function problemIn(answers: Partial<Answers>): string | undefined {
  const { principals = [] } = answers;
  const known = principals.length === 0 ? [{ name: 'init', variable: 'AWC_INIT', adminOf: [] }] : principals;
  const keys = Object.fromEntries(known.map(({ variable }, index) => [variable, `a-made-up-key-${index}`]));
  try {
    parseTarget(targetText({ ...unanswered, ...answers, principals: known }, []), 'init', keys);
    return undefined;
  } catch (error) {
    if (error instanceof TargetFileError) return error.problems.map(({ message }) => message).join('; ');
    throw error;
  }
}

/** Keys usually contain lower-case letters. Refusing those keeps a key from being taken for a variable name. */
export function problemWithVariable(text: string): string | undefined {
  if (/^[A-Z_][A-Z0-9_]{0,99}$/.test(text)) return undefined;
  return 'this is not the name of an environment variable, such as AWC_KEY_ALICE; do not give the key itself';
}

/** What is wrong with a list of side effects. */
export function problemWithAllow(words: readonly string[]): string | undefined {
  const wrong = words.filter((word) => !sideEffects.some((effect) => effect === word));
  return wrong.length === 0 ? undefined : `${shown(wrong.join(', '), 100)} is not one of ${sideEffects.join(', ')}`;
}
