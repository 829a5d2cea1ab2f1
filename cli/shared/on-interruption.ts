/** One Ctrl-C may come twice, from the terminal and from npm; whoever presses it again later wants the end at once. */
const echoMs = 1000;

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Calls `first` at the first SIGINT or SIGTERM, and `again` at one that is none of its echoes. Gives how to stop listening. */
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

/** What a second Ctrl-C means. */
export function endAtOnce(): void {
  process.exit(130);
}
