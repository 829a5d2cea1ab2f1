/** A character of four bytes in UTF-8 and two UTF-16 units. */
export const astral = '𝒳';

/** `count` characters (code points) in one of two alphabets. */
export function textOf(count: number, alphabet: 'plain' | 'astral'): string {
  return (alphabet === 'astral' ? astral : 'x').repeat(count);
}

/** `count` distinct texts of `length` characters. The last characters number them. */
export function distinctTexts(count: number, length: number, alphabet: 'plain' | 'astral'): string[] {
  return Array.from({ length: count }, (_, index) => {
    const tail = String(index).padStart(Math.min(length, 2), '0').slice(-length);
    return textOf(length - tail.length, alphabet) + tail;
  });
}
