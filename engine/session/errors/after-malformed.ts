import { answerOf, type Exchange } from '../../../core/exchange.ts';
import { isOwnInternalError } from './internal-errors.ts';
import { perRun } from '../run-memory.ts';
import type { Session } from '../session.ts';

/** Requests that are answered this long after a body that is no JSON may be the first after it, in milliseconds. */
const soonMs = 1000;

const seenIn = perRun(() => ({ malformedAt: Number.NEGATIVE_INFINITY, hasErred: false }));

/** Remembers an internal error soon after a body that is no JSON, even if the request was then sent again. */
export function noteMalformed(session: Session, exchange: Exchange): void {
  const seen = seenIn(session);
  const answer = answerOf(exchange);
  if (answer === undefined) return;
  if (isOwnInternalError(answer) && exchange.receivedAt <= seen.malformedAt + soonMs) seen.hasErred = true;
  if (isMalformed(exchange)) seen.malformedAt = exchange.receivedAt;
}

function isMalformed({ request: { body } }: Exchange): boolean {
  if (typeof body !== 'string') return false;
  try {
    JSON.parse(body);
    return false;
  } catch {
    return true;
  }
}

/** Whether a request ended in an internal error soon after such a body. */
export function hasErredAfterMalformed(session: Session): boolean {
  return seenIn(session).hasErred;
}
