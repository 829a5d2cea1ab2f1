import type { Clock } from '../../../core/clock.ts';
import { type Answer, answerOf, type Exchange, isSuccess } from '../../../core/exchange.ts';
import { isGateways } from '../../../core/gateway-answer.ts';
import { shown } from '../../../core/text.ts';

/** How long a deployment may be away while it is replaced, and the pause between two tries, in milliseconds. */
export const longestOutageMs = 60_000;
export const outagePauseMs = 500;

export type Lifeline = {
  /** Remembers what the deployment answered, and since when nothing has been answered. */
  readonly note: (exchange: Exchange) => void;
  /** Why the deployment is gone, if that was found out. */
  readonly gone: () => string | undefined;
  /**
   * Why the deployment is gone: not even what it answered before is answered any more. Asks until it answers, or has been away
   * for a minute. Undefined if it answers, or never did. Never rejects.
   */
  readonly whyGone: () => Promise<string | undefined>;
};

/** `ask` sends an earlier request once more. */
export function createLifeline(clock: Clock, ask: (before: Exchange) => Promise<Exchange>): Lifeline {
  /** The latest successful reads, of each operation and entry point. */
  const read = new Map<string, Exchange>();
  /** The first exchange without an answer since the last answer. */
  let silent: Exchange | undefined;
  let gone: string | undefined;
  let looking: Promise<void> | undefined;

  function note(exchange: Exchange): void {
    const answer = ownAnswer(exchange);
    if (answer === undefined) {
      silent ??= exchange;
      return;
    }
    // What was sent before may have been answered just before the end.
    if (silent !== undefined && exchange.sentAt > silent.sentAt) silent = undefined;
    const { operation, request } = exchange;
    if (request.method === 'GET' && isSuccess(answer)) read.set(`${operation} ${request.baseUrl ?? ''}`, exchange);
  }

  async function look(): Promise<void> {
    while (gone === undefined && silent !== undefined) {
      let last: Exchange | undefined;
      for (const before of read.values()) {
        last = await ask(before);
        if (ownAnswer(last) !== undefined) silent = undefined;
        if (silent === undefined) return;
      }
      if (last === undefined) return;
      if (clock.now() >= silent.receivedAt + longestOutageMs) {
        gone = `the deployment stopped answering during the run: ${described(last)}. The first request without an answer was ${named(silent)}`;
        return;
      }
      await clock.sleep(outagePauseMs);
    }
  }

  return {
    note,
    gone: () => gone,
    whyGone: async () => {
      looking ??= look().finally(() => {
        looking = undefined;
      });
      await looking;
      return gone;
    },
  };
}

/** The answer of the deployment itself; undefined if there is none. */
function ownAnswer(exchange: Exchange): Answer | undefined {
  const answer = answerOf(exchange);
  return answer === undefined || isGateways(answer) ? undefined : answer;
}

function named({ caller, request }: Exchange): string {
  return `${request.method} ${shown(request.path, 120)} as ${caller}`;
}

function described(exchange: Exchange): string {
  const { outcome } = exchange;
  if (outcome.kind === 'failed') return outcome.message.replace(/\.$/, '');
  return `a gateway answers ${outcome.response.status}`;
}
