import { isAccepted } from '../../engine/send-one.ts';
import type { LoadRequest } from '../../schedule/load-request.ts';
import { type Followed, repetitionOf } from './followed-message.ts';
import type { Ended } from './judged.ts';

/** The time between two looks at a message, in milliseconds. */
const pauseMs = 300;
/** Messages that are looked at after a trial. The latest generate the longest. */
const mostLooked = 20;

export type LastLooksOptions = {
  /** Sends a request when no load is in progress. */
  readonly read: (request: LoadRequest) => Promise<Ended>;
  readonly sleep: (ms: number) => Promise<void>;
  /** Milliseconds, as in the instants of what was read. */
  readonly now: () => number;
  /** A response that takes longer is not waited for. */
  readonly mostMs: number;
  readonly signal: AbortSignal;
};

/**
 * Only the end of a response proves that it was generating before, and a short trial ends earlier. So if the chat of a message accepted
 * another one meanwhile, the message is repeated after the trial, until its response is finished.
 *
 *                 trial ends
 *     A  ├─ 202        ┊  ├─ 202   ├─ 202   ├─ 200
 *     B       ├─ 202   ┊                              accepted while A was generating
 *
 * Some deployments never say in a repetition that the response is finished. A search waits for them only once.
 */
export function lastLooks({ read, sleep, now, mostMs, signal }: LastLooksOptions) {
  let showsEnd = true;

  return async function look(followed: readonly Followed[]): Promise<void> {
    if (!showsEnd) return;
    let open = followed.filter(isOpen).slice(-mostLooked);
    const until = now() + mostMs;
    while (open.length > 0 && !signal.aborted) {
      if (now() >= until) {
        showsEnd = false;
        return;
      }
      await Promise.all(open.map(async ({ first, afterLoad }) => void afterLoad.push(await read(repetitionOf(first)))));
      open = open.filter(isOpen);
      if (open.length > 0) await sleep(pauseMs);
    }
  };
}

/** Whether a second message was accepted, and nothing shows yet whether the response to the first one was over then. */
function isOpen({ seconds, again, afterLoad }: Followed): boolean {
  if (!seconds.some(({ first }) => isAccepted(first))) return false;
  return ![...again, ...afterLoad].some(({ arrived: { outcome } }) => outcome === 200);
}
