import type { Operation } from '../../spec/requirement.ts';
import type { Clock } from '../../core/clock.ts';
import { type Answer, answerOf, type Exchange } from '../../core/exchange.ts';
import type { TransportFailure } from '../../core/http.ts';
import { gatewayStatuses, isGateways, wasHeldTooLong } from '../../core/gateway-answer.ts';

/**
 * `passing`: the answer of a gateway to a request that is sent again, so it says nothing about the deployment. `erred`: an error
 * of the deployment itself in that place; only its form is judged.
 */
export type Finality = 'passing' | 'erred' | 'final';

export type OnExchange = (exchange: Exchange, finality: Finality) => void;

/** Pauses before each further try after a transient failure, in milliseconds. A restart takes seconds. */
const pausesMs = [200, 600, 1500] as const;
/** The longest pause that Retry-After can ask for, in milliseconds. */
const mostAskedMs = 5000;
/** After this many requests of one operation in a row that failed each time, the failure is not transient. */
const futileLimit = 3;
/** One in this many requests of an operation may end in an error of the deployment itself; more often, it counts. */
const rarity = 10;
/** A request that took longer before it failed would take as long again, in milliseconds. */
const longMs = 5000;
/** How a connection breaks. */
const breaks: readonly TransportFailure[] = ['reset', 'truncated'];

export type TransientFailures = {
  /**
   * Sends, and sends again after a transient failure; a deletion or an attachment only if it `mayRepeat`. `seen` gets all
   * exchanges but the last.
   */
  readonly over: (
    operation: Operation,
    mayRepeat: boolean,
    exchange: () => Promise<Exchange>,
    seen: OnExchange,
  ) => Promise<Exchange>;
  /** The deployment was restarted: sending again may help where it did not before. */
  readonly forget: () => void;
};

/**
 * Sending again is safe: reading changes nothing, a message keeps its key, a deletion deletes one thing and an attachment counts
 * once. So a proxy that reloads or closes a connection causes no violation, and neither does a rare internal error (section 7).
 * A request that fails each time, or an operation that fails often, is judged.
 */
export function createTransientFailures(clock: Clock): TransientFailures {
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
    seen: OnExchange,
  ): Promise<Exchange> {
    begun.set(operation, (begun.get(operation) ?? 0) + 1);
    let last = await exchange();
    if (!isTransient(last, mayRepeat) && !isRareError(operation, last, mayRepeat)) return last;
    const failures = futile.get(operation) ?? 0;
    for (const pauseMs of failures < futileLimit ? pausesMs : []) {
      // A broken connection is judged on its own, whatever the next try returns.
      if (isOwnError(last, mayRepeat)) seen({ ...last, passing: true }, 'erred');
      else seen(last, last.outcome.kind === 'answered' ? 'passing' : 'final');
      await clock.sleep(pauseAfter(last, pauseMs));
      last = await exchange();
      if (isTransient(last, mayRepeat) || isOwnError(last, mayRepeat)) continue;
      futile.delete(operation);
      return { ...last, repeats: true };
    }
    futile.set(operation, failures + 1);
    return last;
  }

  return { over, forget: () => futile.clear() };
}

/** Whether a gateway answered or the connection broke, so another try may get the answer of the deployment itself. */
function isTransient(exchange: Exchange, mayRepeat: boolean): boolean {
  const { request, outcome } = exchange;
  if (!isRepeatable(exchange, mayRepeat)) return false;
  if (outcome.kind === 'failed') return breaks.includes(outcome.failure) && tookMs(exchange) <= longMs;
  if (request.method === 'GET') return gatewayStatuses.includes(outcome.response.status);
  const answer = answerOf(exchange);
  if (answer === undefined || !(isGateways(answer) || asksToComeBack(answer))) return false;
  return !wasHeldTooLong(exchange);
}

/** An internal error of the deployment itself. */
function isOwnError(exchange: Exchange, mayRepeat: boolean): boolean {
  const { outcome } = exchange;
  if (outcome.kind === 'failed' || outcome.response.status < 500 || wasHeldTooLong(exchange)) return false;
  return isRepeatable(exchange, mayRepeat) && tookMs(exchange) <= longMs && !isTransient(exchange, mayRepeat);
}

function isRepeatable({ operation, request }: Exchange, mayRepeat: boolean): boolean {
  return request.method === 'GET' || operation === 'sendMessage' || mayRepeat;
}

function tookMs({ sentAt, receivedAt }: Exchange): number {
  return receivedAt - sentAt;
}

/** A deployment that restarts may announce it. */
function asksToComeBack({ status, headers }: Answer): boolean {
  return status === 503 && headers['retry-after'] !== undefined;
}

function pauseAfter({ outcome }: Exchange, pauseMs: number): number {
  const asked = outcome.kind === 'answered' ? Number(outcome.response.headers['retry-after']) * 1000 : Number.NaN;
  return asked > pauseMs ? Math.min(asked, mostAskedMs) : pauseMs;
}
