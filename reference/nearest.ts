/** How many letters differ, at least, between two words (Levenshtein). */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const kept = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      next.push(Math.min(kept, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

/** The names that were most likely meant, best first. */
export function nearest(word: string, names: readonly string[], count = 3): readonly string[] {
  return names
    .map((name) => ({ name, far: distance(word, name) - (name.includes(word) ? word.length : 0) }))
    .toSorted((left, right) => left.far - right.far)
    .slice(0, count)
    .map(({ name }) => name);
}
