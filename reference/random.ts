/** A seeded stream of numbers. The same seed and label give the same stream on every machine. */
export type Random = {
  /** From 0 up to, but not including, 1. */
  readonly next: () => number;
  /** A whole number, both ends included. */
  readonly integer: (minimum: number, maximum: number) => number;
  readonly pick: <T>(first: T, ...rest: readonly T[]) => T;
  /** `length` characters of `alphabet`, which has one UTF-16 unit a character. */
  readonly letters: (alphabet: string, length: number) => string;
};

/** FNV-1a, so that streams of one seed with different labels are unrelated. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

/** Mulberry32 with a seed that depends on `label`. */
export function seededRandom(seed: number, label: string): Random {
  let state = hash(`${seed}/${label}`);

  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  function integer(minimum: number, maximum: number): number {
    return minimum + Math.floor(next() * (maximum - minimum + 1));
  }

  function letters(alphabet: string, length: number): string {
    let text = '';
    for (let count = 0; count < length; count += 1) text += alphabet.charAt(integer(0, alphabet.length - 1));
    return text;
  }

  return { next, integer, letters, pick: (first, ...rest) => [first, ...rest][integer(0, rest.length)] ?? first };
}
