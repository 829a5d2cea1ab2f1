import { distance } from 'fastest-levenshtein';

/** The names that were most likely meant, best first. */
export function nearest(word: string, names: readonly string[], count = 3): readonly string[] {
  return names
    .map((name) => ({ name, far: distance(word, name) - (name.includes(word) ? word.length : 0) }))
    .toSorted((left, right) => left.far - right.far)
    .slice(0, count)
    .map(({ name }) => name);
}
