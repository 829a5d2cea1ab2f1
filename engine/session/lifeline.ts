import type { Clock } from '../../core/clock.ts';
import { answerOf, type Exchange, isSuccess } from '../../core/exchange.ts';
import { isGateways } from '../../core/gateway-answer.ts';

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
  let silentSince: number | undefined;
  let gone: string | undefined;
  let looking: Promise<void> | undefined;

  function note(exchange: Exchange): void {
    const answer = answerOf(exchange);
    if (answer === undefined || isGateways(answer)) {
      silentSince ??= exchange.receivedAt;
      return;
    }
    silentSince = undefined;
    const { operation, request } = exchange;
    if (request.method === 'GET' && isSuccess(answer)) read.set(`${operation} ${request.baseUrl ?? ''}`, exchange);
  }

  async function look(): Promise<void> {
    while (silentSince !== undefined) {
      let last: Exchange | undefined;
      for (const before of read.values()) {
        last = await ask(before);
        note(last);
        if (silentSince === undefined) return;
      }
      if (last === undefined) return;
      if (clock.now() >= silentSince + longestOutageMs) {
        gone = `the deployment stopped answering during the run: ${described(last)}`;
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

function described(exchange: Exchange): string {
  const { outcome } = exchange;
  if (outcome.kind === 'failed') return outcome.message.replace(/\.$/, '');
  return `a gateway answers ${outcome.response.status}`;
}
