/** A permission to receive a large body. */
export type Transfer = {
  /** Resolves when a body of up to so many bytes may arrive. */
  readonly begin: (bytes: number) => Promise<void>;
  /** Always called in the end. */
  readonly end: () => void;
};

/** Lets large bodies arrive in the order in which they ask, as many at a time as have `mostBytes` together, and one always. */
export function createTransfers(mostBytes: number): () => Transfer {
  type Waiting = { readonly bytes: number; readonly go: () => void };
  const waiting = new Set<Waiting>();
  let taken = 0;

  function next(): void {
    for (const one of waiting) {
      if (taken > 0 && taken + one.bytes > mostBytes) return;
      waiting.delete(one);
      taken += one.bytes;
      one.go();
    }
  }

  return () => {
    let own: Waiting | undefined;
    return {
      begin(bytes) {
        if (own !== undefined) return Promise.resolve();
        const { promise, resolve } = Promise.withResolvers<void>();
        own = { bytes, go: resolve };
        waiting.add(own);
        next();
        return promise;
      },
      end() {
        if (own === undefined) return;
        if (!waiting.delete(own)) taken -= own.bytes;
        next();
      },
    };
  };
}
