import { type Answer, answerOf, type Exchange } from '../../../core/exchange.ts';
import type { Operation } from '../../../spec/requirement.ts';
import { perRun } from '../run-memory.ts';
import type { Session } from '../session.ts';
import { isOwnInternalError } from './internal-errors.ts';

/** Internal errors of one operation that did not recur. */
export type PassingErrors = {
  /** The requests that ended in one, or in several. */
  readonly requests: number;
  /** The first of them, each some time after the one before: errors that come together may have one cause, such as an outage. */
  readonly apart: readonly Exchange[];
};

/** How far apart in time, in milliseconds, and how many of these a run keeps of each operation. */
const apartMs = 1000;
const mostKept = 20;

const passingIn = perRun(() => new Map<Operation, PassingErrors>());

/** Remembers the internal errors that came before another answer to the same request. */
export function notePassing(session: Session, answer: Answer, before: readonly Exchange[]): void {
  if (answer.status >= 500) return;
  const erred = before.find((exchange) => {
    const earlier = answerOf(exchange);
    return earlier !== undefined && isOwnInternalError(earlier);
  });
  if (erred === undefined) return;
  const { operation } = answer.exchange;
  const { requests, apart } = passingOf(session, operation);
  const isApart = erred.sentAt >= (apart.at(-1)?.sentAt ?? Number.NEGATIVE_INFINITY) + apartMs;
  const more = isApart && apart.length < mostKept ? [erred] : [];
  passingIn(session).set(operation, { requests: requests + 1, apart: [...apart, ...more] });
}

export function passingOf(session: Session, operation: Operation): PassingErrors {
  return passingIn(session).get(operation) ?? { requests: 0, apart: [] };
}
