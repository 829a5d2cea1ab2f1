import { distance } from 'fastest-levenshtein';

/** The three names that a mistyped word most likely means, best first. */
export function nearest(word: string, names: readonly string[]): readonly string[] {
  return names
    .map((name) => ({ name, far: distance(word, name) - (name.includes(word) ? word.length : 0) }))
    .toSorted((left, right) => left.far - right.far)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** The one name that a mistyped word most likely means: at most two characters away, in any case. */
export function nearestAlike(word: string, names: readonly string[]): string | undefined {
  const sought = word.slice(0, 100).toLowerCase();
  const far = (name: string) => distance(sought, name.toLowerCase());
  const [best] = names.toSorted((left, right) => far(left) - far(right));
  return best !== undefined && far(best) <= Math.min(2, best.length / 3) ? best : undefined;
}
