import { answerOf, type Exchange } from '../../../core/exchange.ts';
import { isOwnInternalError } from './internal-errors.ts';
import { perRun } from '../run-memory.ts';
import type { Session } from '../session.ts';

/** A request that ended in an internal error when the run had sent nothing for a while. */
export type AfterPause = { readonly erred: Exchange; readonly pauseMs: number };

/** Requests within this time, in milliseconds, are sent together: any of them may arrive first. */
const togetherMs = 100;
/** The shortest pause, in milliseconds, after which a deployment may have closed or forgotten something. */
const leastMs = 1500;
/** For how long the deployment was idle before the first request of a run is unknown. This is tried, in milliseconds. */
const beforeRunMs = 6000;
/** A longer pause is not tried, in milliseconds. */
const mostMs = 20_000;
/** Instants of sending that a run remembers. */
const mostInstants = 256;

type Sendings = { readonly instants: number[]; first: AfterPause | undefined };

const sendingsIn = perRun((): Sendings => ({ instants: [], first: undefined }));

/** Remembers the first request that ended in an internal error after a pause of the whole run. */
export function notePause(session: Session, exchange: Exchange): void {
  const sendings = sendingsIn(session);
  const { instants } = sendings;
  const { sentAt } = exchange;
  const answer = answerOf(exchange);
  if (sendings.first === undefined && answer !== undefined && isOwnInternalError(answer)) {
    const before = instants.filter((instant) => instant < sentAt - togetherMs);
    const pauseMs = before.length === 0 ? beforeRunMs : sentAt - Math.max(...before);
    if (pauseMs >= leastMs && pauseMs <= mostMs) sendings.first = { erred: exchange, pauseMs };
  }
  instants.push(sentAt);
  if (instants.length > mostInstants) instants.shift();
}

/** The first request of the run that ended in an internal error after a pause; undefined if there was none. */
export function erredAfterPause(session: Session): AfterPause | undefined {
  return sendingsIn(session).first;
}
