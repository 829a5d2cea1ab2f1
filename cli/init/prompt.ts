import { createInterface } from 'node:readline/promises';
import type { Output } from '../shared/context.ts';
import { UserError } from '../shared/user-error.ts';
import type { Ask } from './interview.ts';

/** Asks on a terminal. Ctrl-C and the end of input end the interview. */
export function promptOn(input: NodeJS.ReadStream, output: Output): { readonly ask: Ask; readonly close: () => void } {
  const lines = createInterface({ input, output });
  const { promise: ended, reject } = Promise.withResolvers<never>();
  ended.catch(() => {}); // It may end while no question is open.
  lines.once('close', () => reject(new UserError('interrupted; nothing was written.', 130)));
  return { ask: (question) => Promise.race([lines.question(question), ended]), close: () => lines.close() };
}
