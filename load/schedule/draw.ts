/**
 * Random numbers by place instead of in sequence: the number at a place does not depend on earlier draws. So the shards of
 * a run, each on its own machine, agree on one schedule.
 */
export type Draw = {
  /** From 0 up to, but not including, 1. */
  readonly at: (index: number, label: number) => number;
};

/** The item for a number from 0 up to, but not including, 1. */
export function pick<Item>(items: readonly Item[], place: number): Item {
  const found = items[Math.floor(place * items.length)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
}

/** A seed mixed with index and label by the finalizer of SplitMix and Murmur, twice. */
export function createDraw(seed: number): Draw {
  const base = mix(seed >>> 0);
  return {
    at(index, label) {
      const high = Math.floor(index / 0x1_0000_0000);
      const place = mix(base ^ Math.imul(index | 0, 0x9e3779b1) ^ Math.imul(high, 0x85ebca77));
      const first = mix(place ^ Math.imul(label + 1, 0xc2b2ae3d));
      const second = mix(first + 0x9e3779b9);
      // 53 bits, so that the logarithm of a small number is not coarse.
      return ((first >>> 5) * 0x400_0000 + (second >>> 6)) / 0x20_0000_0000_0000;
    },
  };
}

function mix(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return mixed ^ (mixed >>> 15);
}
