/** The candidate that a mistyped word most likely means: the same but for case, or at most two characters away. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const sought = word.slice(0, 100).toLowerCase();
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(sought, candidate.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best !== undefined && best.distance <= Math.min(2, best.candidate.length / 3) ? best.candidate : undefined;
}

/** Levenshtein's distance, one row of his table at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let index = 0; index < from.length; index += 1) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (to[column - 1] === from[index] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
