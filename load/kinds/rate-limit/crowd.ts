import { type LimitSample, limitSampleOf } from './limit-sample.ts';
import type { Gate } from '../../engine/rate-cap.ts';
import type { Listener } from '../../engine/open-engine.ts';

export type HerdManner = {
  readonly obeys: boolean;
  /** No request is sent before this instant. */
  readonly from: number;
  readonly forMs: number;
  readonly most: number;
};

/** Many connections of one engine that act together: they send only during a performance. */
export type Crowd = {
  /** For the engine: how long a connection has to wait. */
  readonly gate: Gate;
  /** For the engine: the result of a request. */
  readonly hear: Listener;
  /** Sends until one is refused or `most` are sent; resolves with all samples in the order of sending. */
  readonly burst: (most: number) => Promise<readonly LimitSample[]>;
  readonly herd: (manner: HerdManner) => Promise<readonly LimitSample[]>;
};

/** How soon a connection that may not send checks again. */
const lookMs = 3;
/** This many requests without a usable answer end a performance: the target has other problems than a limit. */
const mostOthers = 20;

type Performance = {
  left: number;
  underWay: number;
  others: number;
  isOpen: boolean;
  /** No connection may send before this instant. */
  pausedUntil: number;
  readonly obeys: boolean;
  readonly endsWhenLimited: boolean;
  readonly samples: LimitSample[];
  readonly done: () => void;
};

/** `spaced` enforces the limits of the target file. Instants are of `performance.now()`. */
export function createCrowd(spaced: Gate, signal: AbortSignal): Crowd {
  let on: Performance | undefined;

  async function perform(
    manner: Pick<Performance, 'obeys' | 'endsWhenLimited' | 'pausedUntil'>,
    most: number,
    forMs: number,
  ): Promise<readonly LimitSample[]> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const own: Performance = {
      ...manner,
      left: most,
      underWay: 0,
      others: 0,
      isOpen: true,
      samples: [],
      done: resolve,
    };
    const end = () => {
      own.isOpen = false;
      if (own.underWay === 0) resolve();
    };
    const leave = () => resolve();
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
    const timer = Number.isFinite(forMs) ? setTimeout(end, forMs) : undefined;
    on = own;
    await promise;
    on = undefined;
    clearTimeout(timer);
    signal.removeEventListener('abort', leave);
    return own.samples.toSorted((one, other) => one.sentAt - other.sentAt);
  }

  return {
    gate() {
      if (on === undefined || !on.isOpen) return lookMs;
      const waitMs = on.pausedUntil - performance.now();
      if (waitMs > 0) return waitMs;
      const spacedMs = spaced();
      if (spacedMs > 0) return spacedMs;
      on.left -= 1;
      on.underWay += 1;
      if (on.left <= 0) on.isOpen = false;
      return 0;
    },
    hear(_request, arrived, { sentAt, endedAt }) {
      if (on === undefined) return;
      const sample = limitSampleOf(arrived, sentAt, endedAt);
      on.samples.push(sample);
      on.underWay -= 1;
      if (sample.kind === 'other' && (on.others += 1) >= mostOthers) on.isOpen = false;
      if (sample.kind === 'limited' && on.endsWhenLimited) on.isOpen = false;
      if (sample.kind === 'limited' && on.obeys) {
        on.pausedUntil = Math.max(on.pausedUntil, endedAt + (sample.retryAfterMs ?? 0));
      }
      if (!on.isOpen && on.underWay === 0) on.done();
    },
    burst: (most) => perform({ obeys: false, endsWhenLimited: true, pausedUntil: 0 }, most, Number.POSITIVE_INFINITY),
    herd: ({ obeys, from, forMs, most }) => perform({ obeys, endsWhenLimited: false, pausedUntil: from }, most, forMs),
  };
}
