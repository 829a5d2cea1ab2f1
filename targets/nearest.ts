import { distance } from 'fastest-levenshtein';

/** The candidate that a mistyped word most likely means: the same but for case, or at most two characters away. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const sought = word.slice(0, 100).toLowerCase();
  const ranked = candidates
    .map((candidate) => ({ candidate, far: distance(sought, candidate.toLowerCase()) }))
    .toSorted((a, b) => a.far - b.far);
  const [best] = ranked;
  return best !== undefined && best.far <= Math.min(2, best.candidate.length / 3) ? best.candidate : undefined;
}
