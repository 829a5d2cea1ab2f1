/** The checks at work, of which a run allows a number at a time. A check that only waits for another one leaves its slot meanwhile. */
export type Slots = {
  /** From now on at most `count` are at work; `onFree` is called whenever fewer are. */
  readonly open: (count: number, onFree: () => void) => void;
  readonly areFree: () => boolean;
  /** Works in a slot. Only while slots are free. */
  readonly work: (work: () => Promise<void>) => Promise<void>;
  /** Waits beside the slots, then for a slot, unless it `mayExceed` their number because others wait for what it holds. */
  readonly aside: <Value>(awaited: Promise<Value>, mayExceed: boolean) => Promise<Value>;
};

export function createSlots(): Slots {
  let most = Number.POSITIVE_INFINITY;
  let onFree = (): void => {};
  let busy = 0;
  const returning: (() => void)[] = [];

  function leave(): void {
    busy -= 1;
    if (busy >= most) return;
    const next = returning.shift();
    if (next === undefined) return onFree();
    busy += 1;
    next();
  }

  async function comeBack(mayExceed: boolean): Promise<void> {
    if (mayExceed || busy < most) busy += 1;
    else await new Promise<void>((resolve) => returning.push(resolve));
  }

  return {
    open(count, listener) {
      most = count;
      onFree = listener;
    },
    areFree: () => busy < most,
    async work(work) {
      busy += 1;
      try {
        await work();
      } finally {
        leave();
      }
    },
    async aside(awaited, mayExceed) {
      leave();
      try {
        return await awaited;
      } finally {
        await comeBack(mayExceed);
      }
    },
  };
}
