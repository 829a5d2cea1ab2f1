import type { Operation } from '../../spec/requirement.ts';
import type { Clock } from '../../core/clock.ts';
import { type Answer, answerOf, type Exchange } from '../../core/exchange.ts';
import type { TransportFailure } from '../../core/http.ts';
import { gatewayStatuses, isGateways, wasHeldTooLong } from '../../core/gateway-answer.ts';

/**
 * `passing`: a gateway's answer to a request that was then sent again, so that it says nothing about the deployment. `erred`: an
 * error of its own in that place, of which only the form says something.
 */
export type Standing = 'passing' | 'erred' | 'final';

export type Seen = (exchange: Exchange, standing: Standing) => void;

/** Pauses before what met a hiccup is sent again, in milliseconds: that many times at the most. A restart takes seconds. */
const pausesMs = [200, 600, 1500] as const;
/** Where Retry-After asks for a longer pause, it gets that, but none longer than this, in milliseconds. */
const mostAskedMs = 5000;
/** After so many requests of one operation in a row for which sending again did not help, it is no hiccup. */
const futileLimit = 3;
/** Of an operation's requests, one of so many may end in an error of the deployment's own: more often, it is no accident. */
const rarity = 10;
/** What went on for longer before it ended in an error, or in nothing, would take as long again, in milliseconds. */
const longMs = 5000;
/** How a connection breaks. */
const breaks: readonly TransportFailure[] = ['reset', 'truncated'];

export type Hiccups = {
  /**
   * Sends, and sends again where that was a hiccup; a deletion or an attachment only where it `mayRepeat`. `seen` gets all exchanges but the last.
   */
  readonly over: (
    operation: Operation,
    mayRepeat: boolean,
    exchange: () => Promise<Exchange>,
    seen: Seen,
  ) => Promise<Exchange>;
  /** The deployment was restarted: what did not help before may help now. */
  readonly forget: () => void;
};

/**
 * Reading twice changes nothing, a message that is sent again under its key is the same message, a deletion deletes one thing
 * and an attachment counts once, however often they are sent. So a proxy which is being reloaded, or closes a connection
 * that reads, accuses nobody. Neither does an internal error now and then, which section 7 knows. What fails each time, or often,
 * stands.
 */
export function createHiccups(clock: Clock): Hiccups {
  const futile = new Map<Operation, number>();
  const begun = new Map<Operation, number>();
  const errors = new Map<Operation, number>();

  function isRareError(operation: Operation, exchange: Exchange, mayRepeat: boolean): boolean {
    if (!isOwnError(exchange, mayRepeat)) return false;
    const before = errors.get(operation) ?? 0;
    errors.set(operation, before + 1);
    return before * rarity < (begun.get(operation) ?? 0);
  }

  async function over(
    operation: Operation,
    mayRepeat: boolean,
    exchange: () => Promise<Exchange>,
    seen: Seen,
  ): Promise<Exchange> {
    begun.set(operation, (begun.get(operation) ?? 0) + 1);
    let last = await exchange();
    if (!isHiccup(last, mayRepeat) && !isRareError(operation, last, mayRepeat)) return last;
    const failures = futile.get(operation) ?? 0;
    for (const pauseMs of failures < futileLimit ? pausesMs : []) {
      // A connection that broke is judged for itself, however the next try ends.
      if (isOwnError(last, mayRepeat)) seen({ ...last, passing: true }, 'erred');
      else seen(last, last.outcome.kind === 'answered' ? 'passing' : 'final');
      await clock.sleep(pauseAfter(last, pauseMs));
      last = await exchange();
      if (isHiccup(last, mayRepeat) || isOwnError(last, mayRepeat)) continue;
      futile.delete(operation);
      return { ...last, repeats: true };
    }
    futile.set(operation, failures + 1);
    return last;
  }

  return { over, forget: () => futile.clear() };
}

/** Whether a gateway answered, or the connection broke, where another try may get the deployment's own answer. */
function isHiccup(exchange: Exchange, mayRepeat: boolean): boolean {
  const { request, outcome } = exchange;
  if (!isRepeatable(exchange, mayRepeat)) return false;
  if (outcome.kind === 'failed') return breaks.includes(outcome.failure) && tookMs(exchange) <= longMs;
  if (request.method === 'GET') return gatewayStatuses.includes(outcome.response.status);
  const answer = answerOf(exchange);
  if (answer === undefined || !(isGateways(answer) || asksToComeBack(answer))) return false;
  return !wasHeldTooLong(exchange);
}

/** An internal error of the deployment's own. */
function isOwnError(exchange: Exchange, mayRepeat: boolean): boolean {
  const { outcome } = exchange;
  if (outcome.kind === 'failed' || outcome.response.status < 500 || wasHeldTooLong(exchange)) return false;
  return isRepeatable(exchange, mayRepeat) && tookMs(exchange) <= longMs && !isHiccup(exchange, mayRepeat);
}

function isRepeatable({ operation, request }: Exchange, mayRepeat: boolean): boolean {
  return request.method === 'GET' || operation === 'sendMessage' || mayRepeat;
}

function tookMs({ sentAt, receivedAt }: Exchange): number {
  return receivedAt - sentAt;
}

/** A deployment that is being restarted may say so itself. */
function asksToComeBack({ status, headers }: Answer): boolean {
  return status === 503 && headers['retry-after'] !== undefined;
}

function pauseAfter({ outcome }: Exchange, pauseMs: number): number {
  const asked = outcome.kind === 'answered' ? Number(outcome.response.headers['retry-after']) * 1000 : Number.NaN;
  return asked > pauseMs ? Math.min(asked, mostAskedMs) : pauseMs;
}
