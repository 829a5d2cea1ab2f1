/** Calls `wake` at that instant of `performance.now()` or a little later, never before. Returns a function that cancels it. */
export type Pacer = (atMs: number, wake: () => void) => () => void;

/** For shorter delays, spinning in the event loop is more exact than a timer. */
const spinBelowMs = 0.3;

/**
 * Exact to a millisecond or two, at almost no cost. After a wait, incoming data is read before a request leaves: if the server has
 * closed a kept connection, a request on it would be lost.
 */
export const timerPacer: Pacer = (atMs, wake) => {
  const delayMs = atMs - performance.now();
  if (delayMs < spinBelowMs) return soon(wake);
  let cancel = () => clearTimeout(timer);
  const timer = setTimeout(() => (cancel = soon(wake)), delayMs);
  return () => cancel();
};

/** Exact to microseconds, at the cost of a whole core. */
export const precisePacer: Pacer = (_atMs, wake) => soon(wake);

function soon(wake: () => void): () => void {
  const immediate = setImmediate(wake);
  return () => clearImmediate(immediate);
}
