import type { Answer } from '../../core/exchange.ts';
import type { Api } from '../../engine/api.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import type { Operation } from '../../spec/requirement.ts';

/** The first answer to a request of an operation with one deliberate mistake, by both. */
const answersIn = perRun(() => new Map<string, Answer>());

/** Remembers an answer, so that checks that only need some such answer send nothing. Each names the mistake in the same words. */
export function noteMistake({ session }: Api, operation: Operation, mistake: string, answer: Answer): void {
  const answers = answersIn(session);
  const name = nameOf(operation, mistake);
  if (!answers.has(name)) answers.set(name, answer);
}

/** The remembered answer; undefined if no check of this run made that mistake. */
export function answerToMistake({ session }: Api, operation: Operation, mistake: string): Answer | undefined {
  return answersIn(session).get(nameOf(operation, mistake));
}

/** Whether these are mistakes at all is open: such requests may also be accepted. */
export const withRefusedKey = 'with the key of a message that was refused with 409';
export const withForeignCursor = 'with a cursor of another organization';

function nameOf(operation: Operation, mistake: string): string {
  return `${operation} ${mistake}`;
}
