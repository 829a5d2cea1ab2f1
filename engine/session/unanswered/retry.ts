import type { Operation } from '../../../spec/requirement.ts';
import type { Clock } from '../../../core/clock.ts';
import { type Answer, answerOf, type Exchange, isSuccess } from '../../../core/exchange.ts';
import { endedWhileHeld, gatewayStatuses, isGateways, wasHeldTooLong } from '../../../core/gateway-answer.ts';
import { waitIn } from '../../../core/paths.ts';
import { Away } from '../../verdict.ts';
import { longestOutageMs, outagePauseMs } from './lifeline.ts';

/**
 * `passing`: a gateway answered and the request is sent again, so the answer says nothing about the deployment. `erred`: the
 * deployment itself answered with an error and the request is sent again, so only the form of the error is judged.
 */
export type OnExchange = (exchange: Exchange, finality: 'passing' | 'erred' | 'final') => void;

/** Pauses before each further try after a transient failure, in milliseconds. A restart takes seconds. */
const pausesMs = [200, 600, 1500] as const;
/** The longest pause that Retry-After can ask for, in milliseconds. */
const mostAskedMs = 5000;
/** After this many requests of one operation in a row that failed each time, the failure is not transient. */
const futileLimit = 3;
/** One in this many requests of an operation may end in an internal error. More frequent errors count as answers. */
const rarity = 10;
/**
 * A request that failed only after this time would often take as long again, so it is sent again less often. In milliseconds. A held
 * request whose connection broke is sent again. A read, or one that was not held and failed inside, is sent again once.
 */
const longMs = 5000;
/** Held requests ended after the same time if the times differ by this share at most. */
const sameShare = 0.1;
/** A request fails early if it was held for less than this share of its `wait`. */
const earlyShare = 0.5;
/** Held requests that ended with an error, and that a run remembers. */
const mostCutOff = 20;

/** After this many milliseconds without another sign of it, an outage is over. */
const backMs = 2 * outagePauseMs;

const away = 'the deployment was away: a gateway, or 503, answered what the deployment had answered before';

export type Retry = {
  /**
   * Sends, and sends again after a transient failure or an outage. A request that must not be repeated (`mayRepeat` is false)
   * counts by its instant: it is sent again only if it reads or has a key. `seen` gets all exchanges but the last. Rejects with
   * Blocked if a gateway answers while the deployment is away.
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

/** `ask` sends an earlier request once more, to see whether the deployment is away. */
export function createRetry(clock: Clock, ask: (before: Exchange) => Promise<Exchange>): Retry {
  const failures = createFailures(clock);
  const outages = createOutages(clock, ask);
  return {
    over: (operation, mayRepeat, exchange, seen) => {
      const send = () => failures.over(operation, mayRepeat, exchange, seen);
      return mayRepeat ? outages.over(send, seen) : outages.once(send);
    },
    forget: failures.forget,
  };
}

/**
 * Sending again is safe: reading changes nothing, a message keeps its key, a deletion deletes one thing and an attachment counts
 * once. So a proxy that reloads or closes a connection causes no violation, and neither does a rare internal error (section 7).
 * A request that fails each time, or an operation that fails often, is judged.
 */
function createFailures(clock: Clock): Retry {
  const futile = new Map<Operation, number>();
  const begun = new Map<Operation, number>();
  const errors = new Map<Operation, number>();
  let cutOff: readonly Exchange[] = [];

  function isRareError(operation: Operation, exchange: Exchange, mayRepeat: boolean): boolean {
    if (!isErrorToRepeat(exchange, mayRepeat)) return false;
    const before = errors.get(operation) ?? 0;
    errors.set(operation, before + 1);
    return before * rarity < (begun.get(operation) ?? 0);
  }

  /** Whether an earlier held request ended after the same time: a time limit does that, and an outage does not. */
  function isCutOffAgain(exchange: Exchange): boolean {
    if (!endedWhileHeld(exchange) && !brokeLate(exchange)) return false;
    const isSame = (earlier: Exchange): boolean =>
      earlier.receivedAt <= exchange.sentAt &&
      Math.abs(tookMs(earlier) - tookMs(exchange)) <= sameShare * tookMs(exchange);
    const isAgain = cutOff.some(isSame);
    cutOff = [...cutOff, exchange].slice(-mostCutOff);
    return isAgain;
  }

  function maySendAgain(operation: Operation, exchange: Exchange, mayRepeat: boolean): boolean {
    if (isCutOffAgain(exchange)) return false;
    return isTransient(exchange, mayRepeat) || isRareError(operation, exchange, mayRepeat);
  }

  return {
    async over(operation, mayRepeat, exchange, seen) {
      begun.set(operation, (begun.get(operation) ?? 0) + 1);
      let last = await exchange();
      if (!maySendAgain(operation, last, mayRepeat)) return last;
      const failures = futile.get(operation) ?? 0;
      for (const pauseMs of failures < futileLimit ? pausesMs : []) {
        // A broken connection is judged on its own, whatever the next try returns.
        if (isOwnAnswer(last)) seen({ ...last, passing: true }, 'erred');
        else seen(last, last.outcome.kind === 'answered' ? 'passing' : 'final');
        await clock.sleep(pauseAfter(last, pauseMs));
        last = await exchange();
        const isAgain = isCutOffAgain(last);
        const isError = isErrorToRepeat(last, mayRepeat);
        if (isAgain || !(isError || isTransient(last, mayRepeat))) {
          futile.delete(operation);
          return { ...last, repeats: true };
        }
        if ((isError || last.request.method === 'GET') && tookMs(last) > longMs) break;
      }
      futile.set(operation, failures + 1);
      return last;
    },
    forget: () => {
      futile.clear();
      cutOff = [];
    },
  };
}

/**
 * Waits until a deployment that is being replaced is back: nothing listens, or a gateway answers in its place. It is an outage
 * if a request that succeeded before now fails in the same way; otherwise the failure concerns the one request and is judged
 * when it comes twice. A deployment that exceeds the longest outage is not waited for again.
 */
function createOutages(clock: Clock, ask: (before: Exchange) => Promise<Exchange>) {
  let since: number | undefined;
  let answeredBefore: Exchange | undefined;
  /** When it was last seen to be away. */
  let awayAt = Number.NEGATIVE_INFINITY;

  function note(exchange: Exchange): void {
    since = undefined;
    const answer = answerOf(exchange);
    if (exchange.request.method === 'GET' && answer !== undefined && isSuccess(answer)) answeredBefore = exchange;
  }

  async function isAway(): Promise<boolean> {
    return answeredBefore !== undefined && neverArrived(await ask(answeredBefore));
  }

  return {
    async over(exchange: () => Promise<Exchange>, seen: OnExchange): Promise<Exchange> {
      let isDoubtful = false;
      for (let timesAlone = 0; ;) {
        const last = await exchange();
        if (!neverArrived(last)) {
          note(last);
          return isDoubtful ? { ...last, repeats: true } : last;
        }
        const isRefused = last.outcome.kind === 'failed';
        isDoubtful ||= !isRefused || last.repeats === true;
        if (isRefused || (await isAway())) {
          timesAlone = 0;
          since ??= last.sentAt;
          awayAt = clock.now();
          if (clock.now() < since + longestOutageMs) await clock.sleep(outagePauseMs);
          else if (isRefused) return last;
          else throw new Away(away);
        } else {
          // The deployment may be back by now. What it answers itself is its answer, unless it was just away.
          const mayBeBack = !isOwnAnswer(last) || clock.now() <= awayAt + backMs;
          timesAlone += 1;
          if (timesAlone > 1 || answeredBefore === undefined || !mayBeBack) return last;
        }
        seen(last, isOwnAnswer(last) ? 'erred' : 'passing');
      }
    },
    async once(exchange: () => Promise<Exchange>): Promise<Exchange> {
      const only = await exchange();
      if (only.outcome.kind === 'answered' && neverArrived(only) && (await isAway())) throw new Away(away);
      return only;
    },
  };
}

/** Whether a gateway answered or the connection broke, so another try may get the answer of the deployment itself. */
function isTransient(exchange: Exchange, mayRepeat: boolean): boolean {
  const { request, outcome } = exchange;
  if (!isRepeatable(exchange, mayRepeat)) return false;
  if (outcome.kind === 'failed') {
    const isBroken = outcome.failure === 'reset' || outcome.failure === 'truncated';
    return isBroken && (request.method === 'GET' || tookMs(exchange) <= longMs || brokeLate(exchange));
  }
  if (request.method === 'GET') return gatewayStatuses.includes(outcome.response.status);
  const answer = answerOf(exchange);
  if (answer === undefined || !(isGateways(answer) || asksToComeBack(answer))) return false;
  return !wasHeldTooLong(exchange) || failedEarly(exchange);
}

/** Whether the connection of a held request ended after a long time: it may do so each time, or only this once. */
function brokeLate(exchange: Exchange): boolean {
  const { outcome, request } = exchange;
  return outcome.kind === 'failed' && waitIn(request.path) !== undefined && tookMs(exchange) > longMs;
}

/** An internal error of the deployment itself after which the request may be sent again. */
function isErrorToRepeat(exchange: Exchange, mayRepeat: boolean): boolean {
  const { outcome } = exchange;
  if (outcome.kind === 'failed' || outcome.response.status < 500) return false;
  if (gatewayStatuses.includes(outcome.response.status) && wasHeldTooLong(exchange) && !failedEarly(exchange))
    return false;
  if (tookMs(exchange) > longMs && endedWhileHeld(exchange)) return false;
  return isRepeatable(exchange, mayRepeat) && !isTransient(exchange, mayRepeat);
}

/** Whether a held request failed long before its `wait` ended. A time limit ends others after the same time. */
function failedEarly(exchange: Exchange): boolean {
  return tookMs(exchange) < earlyShare * 1000 * Number(waitIn(exchange.request.path));
}

/** Whether the deployment itself answered, and not a gateway. */
function isOwnAnswer(exchange: Exchange): boolean {
  const answer = answerOf(exchange);
  return answer !== undefined && !isGateways(answer);
}

/**
 * Whether the deployment probably never looked at the request: the connection was refused, a gateway answered at once, or the
 * deployment itself says that it is unavailable, as during maintenance.
 */
function neverArrived(exchange: Exchange): boolean {
  if (exchange.outcome.kind === 'failed') return exchange.outcome.failure === 'refused';
  const answer = answerOf(exchange);
  return answer !== undefined && (isGateways(answer) || answer.status === 503) && !endedWhileHeld(exchange);
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
