import type { Item } from '../../core/page.ts';
import type { Disposable } from './still-listed.ts';

/** What a data source should be like that a check deletes. */
export type Wish = (disposable: Disposable) => boolean;

/** Those that fit the earliest wish that any fits; all, if none fits any. */
export function wished(all: readonly Disposable[], wishes: readonly Wish[]): readonly Disposable[] {
  const fits = wishes.find((wish) => all.some(wish));
  return fits === undefined ? all : all.filter(fits);
}

/** A list that is longer than this fills a page without a limit (section 8) even after a deletion. */
const pageWithoutLimit = 51;

/**
 * Of which data source the recorded deletion shows most, by its place in the lists. What follows the newest one begins the list, so a
 * lost cursor would not show. Nothing follows the oldest, and hardly anything the one before it. A long list shows more than a short one.
 */
export function wishesIn(lists: readonly (readonly Item[])[], hasModels: Wish): readonly Wish[] {
  const newest = new Set(lists.map(([item]) => item?.id));
  const isNotFirst: Wish = ({ id }) => !newest.has(id);
  const isBeforeLast = (count: number): Wish => {
    const oldest = new Set(lists.flatMap((items) => items.slice(-count).map(({ id }) => id)));
    return (one) => isNotFirst(one) && !oldest.has(one.id);
  };
  const isInside = isBeforeLast(2);
  const inLongLists = new Set(
    lists.filter(({ length }) => length > pageWithoutLimit).flatMap((items) => items.map(({ id }) => id)),
  );
  const places = [isInside, isBeforeLast(1), isNotFirst];
  return [
    (one) => hasModels(one) && isInside(one) && inLongLists.has(one.id),
    ...places.map(
      (fits): Wish =>
        (one) =>
          hasModels(one) && fits(one),
    ),
    hasModels,
    ...places,
  ];
}
