/**
 * Lets one caller go on at a time: each goes on when everything that followed from the one before is done, or at once if no
 * other is under way.
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
