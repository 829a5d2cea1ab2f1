import { eachAtOnce, type Gate } from './at-once.ts';
import type { Api } from './api.ts';
import type { Answer, Exchange } from '../core/exchange.ts';
import { TransportError } from '../core/http.ts';
import { isInternalError } from './session/errors/internal-errors.ts';

/** One request of several that were sent at the same instant. */
export type Raced = {
  readonly sentAt: number;
  /** Infinity when no answer came. */
  readonly receivedAt: number;
  readonly answer: Answer | undefined;
};

/** Sends all at the same instant. A request without an answer may have taken effect; the race continues without it. */
export function race(api: Api, sends: readonly ((gate: Gate) => Promise<Answer>)[]): Promise<readonly Raced[]> {
  return eachAtOnce(sends, async (send, gate) => {
    let isIn = false;
    const startedAt = api.session.clock.now();
    const enter = (): Promise<void> => {
      isIn = true;
      return gate();
    };
    try {
      return racedOf(await send(enter));
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      if (!isIn) void gate(); // The others wait at the gate for this request.
      return { sentAt: startedAt, receivedAt: Number.POSITIVE_INFINITY, answer: undefined };
    }
  });
}

/** A request that went out alone, as part of the history. */
export function racedOf(answer: Answer): Raced {
  const { sentAt, receivedAt } = answer.exchange;
  return { sentAt, receivedAt, answer };
}

/** Whether a write took effect, according to its answer. */
export function effectOf({ answer }: Raced): 'done' | 'refused' | 'unknown' {
  if (answer === undefined || answer.status >= 500) return 'unknown';
  return answer.status >= 200 && answer.status < 300 ? 'done' : 'refused';
}

/** Those that ended in an internal error. */
export function internalErrorsIn(raced: readonly Raced[]): readonly Exchange[] {
  return raced.flatMap(({ answer }) => (answer !== undefined && isInternalError(answer) ? [answer.exchange] : []));
}

/** A write as a step of the history: how it changes the state if it takes effect. */
export function writeStep(raced: Raced, change: (state: number) => number) {
  const { sentAt, receivedAt } = raced;
  switch (effectOf(raced)) {
    case 'done':
      return { from: sentAt, until: receivedAt, next: (state: number) => [change(state)] };
    case 'refused':
      return { from: sentAt, until: receivedAt, next: (state: number) => [state] };
    case 'unknown':
      return { from: sentAt, until: Number.POSITIVE_INFINITY, next: (state: number) => [state, change(state)] };
  }
}

/** A read as a step of the history: it may show the state of up to `lagMs` before the request. */
export function readStep({ sentAt, receivedAt }: Raced, lagMs: number, shows: (state: number) => boolean) {
  return { from: sentAt - lagMs, until: receivedAt, next: (state: number) => (shows(state) ? [state] : []) };
}
