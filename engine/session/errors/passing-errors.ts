import { type Answer, answerOf, type Exchange } from '../../../core/exchange.ts';
import type { Operation } from '../../../spec/requirement.ts';
import { perRun } from '../run-memory.ts';
import type { Session } from '../session.ts';
import { isOwnInternalError } from './internal-errors.ts';

/** Internal errors of one operation that did not recur: how many, and the first of them. */
export type PassingErrors = { readonly count: number; readonly first: readonly Exchange[] };

/** Those that a run keeps of each operation. */
const mostKept = 3;

const passingIn = perRun(() => new Map<Operation, PassingErrors>());

/** Remembers the internal errors that came before another answer to the same request. */
export function notePassing(session: Session, answer: Answer, before: readonly Exchange[]): void {
  if (answer.status >= 500) return;
  const erred = before.filter((exchange) => {
    const earlier = answerOf(exchange);
    return earlier !== undefined && isOwnInternalError(earlier);
  });
  if (erred.length === 0) return;
  const { operation } = answer.exchange;
  const { count, first } = passingOf(session, operation);
  passingIn(session).set(operation, {
    count: count + erred.length,
    first: [...first, ...erred].slice(0, mostKept),
  });
}

export function passingOf(session: Session, operation: Operation): PassingErrors {
  return passingIn(session).get(operation) ?? { count: 0, first: [] };
}
