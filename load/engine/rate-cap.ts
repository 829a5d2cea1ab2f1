import { type Clock, realClock } from '../../core/clock.ts';
import { createFifo } from './fifo.ts';

/**
 * A hard limit on the requests of any second. It counts requests when they leave, so it also holds when many are overdue
 * because the target, this process or the whole machine was stopped for a while.
 */
export type RateCap = {
  /** How long a request that asks now would have to wait, in milliseconds; 0 if it could leave at once. */
  readonly waitMs: () => number;
  /** Counts a request that leaves now and returns 0, or returns how long it has to wait, in milliseconds. */
  readonly take: () => number;
  /** Calls `leave` with the instant when a request may leave, now or later, in the order of asking. It returns whether one has left. */
  readonly admit: (leave: (at: number) => boolean) => void;
  /** Counts a request from now on that left at this instant, because it may have arrived only now. */
  readonly arrived: (leftAt: number) => void;
  /** How long until the latest request no longer counts, in milliseconds; 0 if none does. */
  readonly idleInMs: () => number;
};

/** The clock of the engines: `performance.now()`. */
export const engineClock: Clock = { now: () => performance.now(), sleep: realClock.sleep };

/** The time in which no more than the limit may leave. A little over a second, because requests travel at unequal speed. */
export const leastWindowMs = 1020;

export const noRateCap: RateCap = {
  waitMs: () => 0,
  take: () => 0,
  admit: (leave) => void leave(0),
  arrived: () => {},
  idleInMs: () => 0,
};

/**
 * No limit if `maxPerSecond` is infinite. A limit below 1 lets one request leave in each 1 / `maxPerSecond` seconds. With `usedUpAt`, as many
 * requests as are allowed have left at that instant.
 */
export function createRateCap(
  maxPerSecond: number,
  clock: Clock = engineClock,
  usedUpAt = Number.NEGATIVE_INFINITY,
): RateCap {
  if (!Number.isFinite(maxPerSecond)) return noRateCap;
  const most = Math.max(1, Math.floor(maxPerSecond));
  const windowMs = Math.max(leastWindowMs, 1000 / maxPerSecond);
  /** When the last requests left, in a ring; `oldest` is the place of the first of them. */
  const left = new Float64Array(most).fill(usedUpAt);
  let oldest = 0;
  const queue = createFifo<(at: number) => boolean>();
  let isBusy = false; // a request leaves just now, or the next one waits for its time

  function waitBehind(ahead: number): number {
    const now = clock.now();
    const free = (left[(oldest + ahead) % most] ?? now) + windowMs;
    return Math.max(free, now) + Math.floor(ahead / most) * windowMs - now;
  }

  function count(at: number): void {
    left[oldest] = at;
    oldest = (oldest + 1) % most;
  }

  function arrived(leftAt: number): void {
    let place = left.indexOf(leftAt);
    // Those that left after it move up, and it becomes the latest.
    for (; place >= 0 && (place + 1) % most !== oldest; place = (place + 1) % most)
      left[place] = left[(place + 1) % most] ?? leftAt;
    if (place >= 0) left[place] = clock.now();
    else count(clock.now());
  }

  function drain(): void {
    isBusy = true;
    for (let leave = queue.first(); leave !== undefined; leave = queue.first()) {
      const waitMs = waitBehind(0);
      if (waitMs > 0) return void clock.sleep(waitMs).then(drain);
      queue.shift();
      const now = clock.now();
      if (leave(now)) count(now);
    }
    isBusy = false;
  }

  const waitMs = () => waitBehind(queue.size());
  return {
    waitMs,
    take() {
      const wait = waitMs();
      if (wait === 0) count(clock.now());
      return wait;
    },
    admit(leave) {
      queue.push(leave);
      if (!isBusy) drain();
    },
    arrived,
    idleInMs: () => Math.max(0, (left[(oldest + most - 1) % most] ?? 0) + windowMs - clock.now()),
  };
}

/** Lets a request leave when `first` and then `second` admit it. */
export function bothCaps(first: RateCap, second: RateCap): Pick<RateCap, 'admit' | 'waitMs'> {
  return {
    waitMs: () => Math.max(first.waitMs(), second.waitMs()),
    admit: (leave) =>
      first.admit(() => {
        second.admit(leave);
        return true;
      }),
  };
}

/** How long a connection has to wait before it may send, in milliseconds; 0 lets it send now and counts the request. */
export type Gate = () => number;

/** A gate that adds up how long connections have waited at it since that instant of `performance.now()`. */
export function timedGate(gate: Gate, since: number): { readonly gate: Gate; readonly waitedMs: () => number } {
  let sumMs = 0;
  return {
    gate() {
      const waitMs = gate();
      if (performance.now() >= since) sumMs += waitMs;
      return waitMs;
    },
    waitedMs: () => sumMs,
  };
}

/** Lets this many requests a second pass, evenly spaced, and never more than the cap admits. */
export function spacedGate(maxPerSecond: number, rateCap: RateCap): Gate {
  if (!Number.isFinite(maxPerSecond)) return () => 0;
  const spacingMs = 1000 / maxPerSecond;
  let nextAt = 0;
  return () => {
    const now = performance.now();
    if (now < nextAt) return nextAt - now;
    const waitMs = rateCap.take();
    if (waitMs === 0) nextAt = Math.max(nextAt + spacingMs, now);
    return waitMs;
  };
}
