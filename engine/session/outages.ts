import type { Clock } from '../../core/clock.ts';
import { answerOf, type Exchange, isSuccess } from '../../core/exchange.ts';
import { isGateways, wasHeldTooLong } from '../../core/gateway-answer.ts';
import type { Seen } from './over-hiccups.ts';
import { Blocked } from '../verdict.ts';

/** For how long a deployment may be away, while it is replaced by the next, in milliseconds. */
const longestMs = 60_000;
const pauseMs = 500;

export type Outages = {
  /** Sends, and sends again once the deployment is back from where it was. `seen` gets all exchanges but the last. */
  readonly over: (exchange: () => Promise<Exchange>, seen: Seen) => Promise<Exchange>;
  /** Sends what counts by its instant, and cannot be sent again. Blocked where a gateway answers and the deployment is away. */
  readonly once: (exchange: () => Promise<Exchange>) => Promise<Exchange>;
};

const away = 'the deployment was away: a gateway answered what it had answered before';

/**
 * Waits until a deployment that is replaced is back: nothing listens, or a gateway answers in its place. That is an outage
 * where it goes the same way with what was answered well before; otherwise it is about the one request, and stands when it
 * comes twice. Who is away for longer than anybody waits is waited for only once.
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
    return answeredBefore !== undefined && isNobodys(await ask(answeredBefore));
  }

  async function over(exchange: () => Promise<Exchange>, seen: Seen): Promise<Exchange> {
    let isDoubtful = false;
    for (let timesAlone = 0; ;) {
      const last = await exchange();
      if (!isNobodys(last)) {
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
    if (only.outcome.kind === 'answered' && isNobodys(only) && (await isAway())) throw new Blocked(away);
    return only;
  }

  return { over, once };
}

/** Nobody got a request whose connection was refused; what a gateway answers at once, nobody seems to have got. */
function isNobodys(exchange: Exchange): boolean {
  if (exchange.outcome.kind === 'failed') return exchange.outcome.failure === 'refused';
  const answer = answerOf(exchange);
  return answer !== undefined && isGateways(answer) && !wasHeldTooLong(exchange);
}
