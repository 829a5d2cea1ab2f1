import type { Operation } from '../spec/requirement.ts';
import type { Clock } from './clock.ts';
import { type Answer, answerOf, type Exchange } from './exchange.ts';
import { gatewayStatuses, isGateways } from './gateway-answer.ts';

/** `passing`: a gateway's answer to a request that was then sent again, so that it says nothing about the deployment. */
export type Standing = 'passing' | 'final';

export type Seen = (exchange: Exchange, standing: Standing) => void;

/** Pauses before what met a hiccup is sent again, in milliseconds: that many times at the most. A restart takes seconds. */
const pausesMs = [200, 600, 1500] as const;
/** Where Retry-After asks for a longer pause, it gets that, but none longer than this, in milliseconds. */
const mostAskedMs = 5000;
/** After so many requests of one operation in a row for which sending again did not help, it is no hiccup. */
const futileLimit = 3;

export type Hiccups = {
  /**
   * Sends, and sends again where that was a hiccup; a deletion or an attachment only where it `mayRepeat`. `seen` gets all
   * exchanges but the last.
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
 * that reads, accuses nobody. What fails each time stands.
 */
export function createHiccups(clock: Clock): Hiccups {
  const futile = new Map<Operation, number>();

  async function over(
    operation: Operation,
    mayRepeat: boolean,
    exchange: () => Promise<Exchange>,
    seen: Seen,
  ): Promise<Exchange> {
    let last = await exchange();
    if (!isHiccup(last, mayRepeat)) return last;
    const failures = futile.get(operation) ?? 0;
    for (const pauseMs of failures < futileLimit ? pausesMs : []) {
      // A connection that broke is judged for itself, however the next try ends.
      seen(last, last.outcome.kind === 'answered' ? 'passing' : 'final');
      await clock.sleep(pauseAfter(last, pauseMs));
      last = await exchange();
      if (isHiccup(last, mayRepeat)) continue;
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
  const { operation, request, outcome } = exchange;
  if (request.method === 'GET') {
    if (outcome.kind === 'answered') return gatewayStatuses.includes(outcome.response.status);
    return outcome.failure === 'reset' || outcome.failure === 'truncated';
  }
  const answer = operation === 'sendMessage' || mayRepeat ? answerOf(exchange) : undefined;
  if (answer === undefined || !(isGateways(answer) || asksToComeBack(answer))) return false;
  // That is how a proxy ends a request that is held too long for it, and would do so again.
  return answer.status !== 504 || !/[?&]wait=/.test(request.path);
}

/** A deployment that is being restarted may say so itself. */
function asksToComeBack({ status, headers }: Answer): boolean {
  return status === 503 && headers['retry-after'] !== undefined;
}

function pauseAfter({ outcome }: Exchange, pauseMs: number): number {
  const asked = outcome.kind === 'answered' ? Number(outcome.response.headers['retry-after']) * 1000 : Number.NaN;
  return asked > pauseMs ? Math.min(asked, mostAskedMs) : pauseMs;
}
