import type { Operation } from '../spec/requirement.ts';
import type { Clock } from './clock.ts';
import type { Exchange } from './exchange.ts';

/** `passing`: a gateway's answer to a GET that was then sent again, so that it says nothing about the deployment. */
export type Standing = 'passing' | 'final';

export type Seen = (exchange: Exchange, standing: Standing) => void;

/** What a gateway answers whose deployment does not. */
export const gatewayStatuses: readonly number[] = [502, 503, 504];

/** Pauses before a GET that met a hiccup is sent again, in milliseconds: that many times at the most. */
const pausesMs = [200, 600] as const;
/** After so many GETs of one operation in a row for which sending again did not help, it is no hiccup. */
const futileLimit = 3;

export type Hiccups = {
  /** Sends, and sends a GET again where a gateway answered it or its connection broke. `seen` gets all but the last. */
  readonly over: (operation: Operation, exchange: () => Promise<Exchange>, seen: Seen) => Promise<Exchange>;
  /** The deployment was restarted: what did not help before may help now. */
  readonly forget: () => void;
};

/**
 * Reading twice changes nothing, so that a proxy which is being reloaded, or closes a connection, accuses nobody. A write
 * may have been carried out, and is never sent again. What fails each time stands.
 */
export function createHiccups(clock: Clock): Hiccups {
  const futile = new Map<Operation, number>();

  async function over(operation: Operation, exchange: () => Promise<Exchange>, seen: Seen): Promise<Exchange> {
    let last = await exchange();
    if (!isHiccup(last)) return last;
    const failures = futile.get(operation) ?? 0;
    for (const pauseMs of failures < futileLimit ? pausesMs : []) {
      // A connection that broke is judged for itself, however the next try ends.
      seen(last, last.outcome.kind === 'answered' ? 'passing' : 'final');
      await clock.sleep(pauseMs);
      last = await exchange();
      if (isHiccup(last)) continue;
      futile.delete(operation);
      return last;
    }
    futile.set(operation, failures + 1);
    return last;
  }

  return { over, forget: () => futile.clear() };
}

function isHiccup({ request, outcome }: Exchange): boolean {
  if (request.method !== 'GET') return false;
  if (outcome.kind === 'answered') return gatewayStatuses.includes(outcome.response.status);
  return outcome.failure === 'reset' || outcome.failure === 'truncated';
}
