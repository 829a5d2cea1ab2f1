import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds since the epoch, and a way to let time pass: real over the network, virtual in-process. */
export type Clock = {
  /** Milliseconds since the epoch, with fractions; never goes back. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /**
   * Begins to watch how long this process stands still; the result stops watching and gives the longest time, in milliseconds.
   * Absent where time is not real.
   */
  readonly watchStalls?: () => () => number;
};

/** How often the process shows that it runs, in milliseconds. */
const stallResolutionMs = 20;

/** Wall time from the monotonic clock, so that a change of the system time does not affect measurements. */
export const realClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms) =>
    new Promise((resolve) => {
      setTimeout(resolve, Math.max(0, ms));
    }),
  watchStalls() {
    const delays = monitorEventLoopDelay({ resolution: stallResolutionMs });
    delays.enable();
    return () => {
      delays.disable();
      return Math.max(0, delays.max / 1e6 - stallResolutionMs);
    };
  },
};

type Sleeper = { readonly at: number; readonly wake: () => void };

/** After this many wake-ups, the event loop gets a turn for signals and messages of other threads. */
const wakesInARow = 64;

/**
 * A clock that jumps to the next wake-up as soon as no promise is left to run. Code that shares the clock may therefore
 * wait only for promises and for this clock.
 */
export function virtualClock(startMs = Date.UTC(2026, 0, 15, 12)): Clock {
  let now = startMs;
  let pumping = false;
  let wakes = 0;
  const sleepers: Sleeper[] = []; // by wake-up time, then by arrival

  function pump(): void {
    const next = sleepers.shift();
    if (next === undefined) {
      pumping = false;
      return;
    }
    now = Math.max(now, next.at);
    next.wake();
    pumpWhenIdle();
  }

  /** A tick that a microtask schedules runs after all other microtasks, much sooner than a turn of the event loop. */
  function pumpWhenIdle(): void {
    wakes += 1;
    if (wakes % wakesInARow === 0) setImmediate(pump);
    else queueMicrotask(() => process.nextTick(pump));
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      const at = now + Math.max(0, ms);
      let place = sleepers.length;
      while (place > 0 && (sleepers[place - 1]?.at ?? 0) > at) place -= 1;
      sleepers.splice(place, 0, { at, wake });
      if (!pumping) {
        pumping = true;
        setImmediate(pump);
      }
    });
  }

  return { now: () => now, sleep };
}
