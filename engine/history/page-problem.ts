/** An item of a list that was read earlier. */
export type Listed = {
  readonly id: string;
  /** It may have left the list since. */
  readonly mayLack: boolean;
};

/** `missing`: an item after the cursor is left out. `before`: an item before the cursor is shown. `order`: items are swapped. */
export type PageProblem = { readonly kind: 'missing' | 'before' | 'order'; readonly id: string };

/**
 * What is wrong with a page that begins after `cursor`, or at the start, of a list that was read earlier; undefined if
 * nothing is. Items that were not in the list then may be new and are ignored.
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
