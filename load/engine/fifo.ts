/** First in, first out, in constant time. */
export type Fifo<Item> = {
  readonly push: (item: Item) => void;
  /** Undefined when it is empty. */
  readonly first: () => Item | undefined;
  readonly shift: () => Item | undefined;
  readonly size: () => number;
};

/** Items that were taken out are forgotten in bulk, because `Array.shift` of a long array takes long. */
const forgetAt = 1000;

export function createFifo<Item>(): Fifo<Item> {
  let items: Item[] = [];
  let head = 0;
  return {
    push: (item) => void items.push(item),
    first: () => items[head],
    shift() {
      const item = items[head];
      if (head < items.length) head += 1;
      if (head === items.length || (head > forgetAt && head * 2 > items.length)) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
    size: () => items.length - head,
  };
}
