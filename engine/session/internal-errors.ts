import type { Operation } from '../../spec/requirement.ts';
import type { Exchange } from '../../core/exchange.ts';
import { perRun } from './run-memory.ts';
import type { Session } from './session.ts';

/** Requests of one operation, and how many of them ended in a 5xx. */
type Errors = { readonly requests: number; readonly errors: number };

const errorsIn = perRun(() => new Map<Operation, Errors>());

export function noteErrors(session: Session, { operation, outcome }: Exchange): void {
  const { requests, errors } = errorsOf(session, operation);
  const isError = outcome.kind === 'answered' && outcome.response.status >= 500;
  errorsIn(session).set(operation, { requests: requests + 1, errors: errors + (isError ? 1 : 0) });
}

export function errorsOf(session: Session, operation: Operation): Errors {
  return errorsIn(session).get(operation) ?? { requests: 0, errors: 0 };
}
