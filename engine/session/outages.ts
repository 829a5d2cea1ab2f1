import type { Clock } from '../../core/clock.ts';
import { answerOf, type Exchange, isSuccess } from '../../core/exchange.ts';
import { isGateways, wasHeldTooLong } from '../../core/gateway-answer.ts';
import type { OnExchange } from './transient-failures.ts';
import { Blocked } from '../verdict.ts';

/** How long a deployment may be away while it is replaced, in milliseconds. */
const longestMs = 60_000;
const pauseMs = 500;

export type Outages = {
  /** Sends, and sends again once the deployment is back. `seen` gets all exchanges but the last. */
  readonly over: (exchange: () => Promise<Exchange>, seen: OnExchange) => Promise<Exchange>;
  /** Sends a request that counts by its instant and cannot be repeated. Blocked if a gateway answers and the deployment is away. */
  readonly once: (exchange: () => Promise<Exchange>) => Promise<Exchange>;
};

const away = 'the deployment was away: a gateway answered what it had answered before';

/**
 * Waits until a deployment that is being replaced is back: nothing listens, or a gateway answers in its place. It is an outage
 * if a request that succeeded before now gets the same; otherwise the failure concerns the one request and is judged when it
 * comes twice. A deployment that exceeds the longest wait is not waited for again.
 */
export function createOutages(clock: Clock, ask: (before: Exchange) => Promise<Exchange>): Outages {
  let since: number | undefined;
  let answeredBefore: Exchange | undefined;

  function note(exchange: Exchange): void {
    since = undefined;
    const answer = answerOf(exchange);
    if (exchange.request.method === 'GET' && answer !== undefined && isSuccess(answer)) answeredBefore = exchange;
  }

  async function isAway(): Promise<boolean> {
    return answeredBefore !== undefined && neverArrived(await ask(answeredBefore));
  }

  async function over(exchange: () => Promise<Exchange>, seen: OnExchange): Promise<Exchange> {
    let isDoubtful = false;
    for (let timesAlone = 0; ;) {
      const last = await exchange();
      if (!neverArrived(last)) {
        note(last);
        return isDoubtful ? { ...last, repeats: true } : last;
      }
      const isRefused = last.outcome.kind === 'failed';
      isDoubtful ||= !isRefused;
      if (isRefused || (await isAway())) {
        timesAlone = 0;
        since ??= last.sentAt;
        if (clock.now() < since + longestMs) await clock.sleep(pauseMs);
        else if (isRefused) return last;
        else throw new Blocked(away);
      } else {
        // It may have come back since.
        timesAlone += 1;
        if (timesAlone > 1 || answeredBefore === undefined) return last;
      }
      seen(last, 'passing');
    }
  }

  async function once(exchange: () => Promise<Exchange>): Promise<Exchange> {
    const only = await exchange();
    if (only.outcome.kind === 'answered' && neverArrived(only) && (await isAway())) throw new Blocked(away);
    return only;
  }

  return { over, once };
}

/** Whether the deployment probably never got the request: the connection was refused, or a gateway answered at once. */
function neverArrived(exchange: Exchange): boolean {
  if (exchange.outcome.kind === 'failed') return exchange.outcome.failure === 'refused';
  const answer = answerOf(exchange);
  return answer !== undefined && isGateways(answer) && !wasHeldTooLong(exchange);
}
