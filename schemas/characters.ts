import { countCodePoints } from './code-points.ts';

/** ASCII without carriage returns: no characters join, so every way to count gives the same number. Segmenting takes hundreds of times as long. */
const alone = /^[\0-\f\x0e-\x7f]*$/;

/**
 * Whether a text has more characters than `most`, however they are counted. The specification does not say what a character is: a
 * UTF-16 unit, a code point as in JSON Schema, or a grapheme, which is what a reader takes for one and which some languages count.
 */
export function hasMoreCharacters(text: string, most: number): boolean {
  if (text.length <= most || countCodePoints(text) <= most) return false;
  if (alone.test(text)) return true;
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' }); // the first one takes 12 ms, so only who needs it makes it
  let count = 0;
  for (const _ of graphemes.segment(text)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}
