import { answerOf, type Exchange } from '../../../core/exchange.ts';
import { isOwnInternalError } from './internal-errors.ts';
import { keyHeaders } from '../key-headers.ts';
import { perRun } from '../run-memory.ts';
import type { Session } from '../session.ts';

const unkeyedIn = perRun(() => ({ hasErred: false }));

/** Remembers an internal error for a message without a key, even if the message was then sent again. */
export function noteUnkeyed(session: Session, exchange: Exchange): void {
  const { operation, request } = exchange;
  if (operation !== 'sendMessage' || keyHeaders(session).some((name) => name in request.headers)) return;
  const answer = answerOf(exchange);
  if (answer !== undefined && isOwnInternalError(answer)) unkeyedIn(session).hasErred = true;
}

/** Whether a message without a key ended in an internal error. */
export function hasUnkeyedErred(session: Session): boolean {
  return unkeyedIn(session).hasErred;
}
