/** An item of a list as it was read before. */
export type Listed = {
  readonly id: string;
  /** It may have left the list meanwhile. */
  readonly mayLack: boolean;
};

/** `missing`: what follows the cursor is left out. `before`: shown although the cursor is behind it. `order`: swapped. */
export type PageProblem = { readonly kind: 'missing' | 'before' | 'order'; readonly id: string };

/**
 * What is wrong with a page that begins behind `cursor`, or at the beginning, of a list as it was read before; undefined
 * where nothing is. What was not in the list then may have come since, and says nothing.
 */
export function pageProblem(
  list: readonly Listed[],
  cursor: string | undefined,
  shown: readonly string[],
  hasMore: boolean,
): PageProblem | undefined {
  const begin = cursor === undefined ? 0 : list.findIndex(({ id }) => id === cursor) + 1;
  const places = new Map(list.map(({ id }, place) => [id, place]));
  let last = begin - 1;
  for (const id of shown) {
    const place = places.get(id);
    if (place === undefined) continue;
    if (place < begin) return { kind: 'before', id };
    if (place < last) return { kind: 'order', id };
    last = place;
  }
  const isShown = new Set(shown);
  const covered = list.slice(begin, hasMore ? last + 1 : undefined);
  const missing = covered.find(({ id, mayLack }) => !mayLack && !isShown.has(id));
  return missing === undefined ? undefined : { kind: 'missing', id: missing.id };
}
