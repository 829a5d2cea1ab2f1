/** Calls `wake` at that instant of `performance.now()` or a little later, never before. Returns how to call it off. */
export type Pacer = (atMs: number, wake: () => void) => () => void;

/** Under so many milliseconds a timer would be later than passing the time in the event loop. */
const spinBelowMs = 0.3;

/** Within a millisecond or two, at next to no cost. */
export const timerPacer: Pacer = (atMs, wake) => {
  const delayMs = atMs - performance.now();
  if (delayMs < spinBelowMs) return soon(wake);
  const timer = setTimeout(wake, delayMs);
  return () => clearTimeout(timer);
};

/** Within microseconds, at the cost of a whole core. */
export const precisePacer: Pacer = (_atMs, wake) => soon(wake);

function soon(wake: () => void): () => void {
  const immediate = setImmediate(wake);
  return () => clearImmediate(immediate);
}
