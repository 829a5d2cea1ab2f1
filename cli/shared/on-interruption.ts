/** One Ctrl-C may arrive twice, from the terminal and from npm. A later one asks to stop at once. */
const echoMs = 1000;

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Calls `first` at the first SIGINT or SIGTERM, and `again` at a later one. Returns a function that stops listening. */
export function onInterruption(first: () => void, again: () => void): () => void {
  let firstAt: number | undefined;
  const listener = () => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      first();
    } else if (performance.now() - firstAt > echoMs) {
      again();
    }
  };
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

export function endAtOnce(): void {
  process.exit(130);
}
