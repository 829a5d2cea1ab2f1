/**
 * Lets one go on at a time: whoever asks is told to go when all that followed from the one before has been done. Whoever
 * asks while nobody is at it goes on at once.
 */
export function createTurns(breathe: () => Promise<void>): () => Promise<void> | undefined {
  const waiting: (() => void)[] = [];
  let busy = false;

  function next(): void {
    void breathe().then(() => {
      const go = waiting.shift();
      if (go === undefined) {
        busy = false;
        return;
      }
      go();
      next();
    });
  }

  return () => {
    if (busy) return new Promise((go) => waiting.push(go));
    busy = true;
    next();
    return undefined;
  };
}
