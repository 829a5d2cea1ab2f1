/** One Ctrl-C may arrive twice, from the terminal and from npm. A later one asks to stop at once. */
const echoMs = 1000;

const signals = ['SIGINT', 'SIGTERM'] as const;

/** Calls `first` at the first SIGINT or SIGTERM; a later one ends the process. Returns a function that stops listening. */
export function onInterruption(first: () => void): () => void {
  let firstAt: number | undefined;
  const listener = () => {
    if (firstAt === undefined) {
      firstAt = performance.now();
      first();
    } else if (performance.now() - firstAt > echoMs) {
      process.exit(130);
    }
  };
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/** Calls `use` with a signal that the first SIGINT or SIGTERM aborts. */
export async function whileInterruptible<Result>(use: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const interruption = new AbortController();
  const letGo = onInterruption(() => interruption.abort());
  try {
    return await use(interruption.signal);
  } finally {
    letGo();
  }
}
