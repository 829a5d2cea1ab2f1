import type { Item } from '../../core/page.ts';
import type { Disposable } from './still-listed.ts';

/** What a data source should be like that a check deletes. */
export type Wish = (disposable: Disposable) => boolean;

/** Those that fit the earliest wish that any fits; all, if none fits any. */
export function wished(all: readonly Disposable[], wishes: readonly Wish[]): readonly Disposable[] {
  const fits = wishes.find((wish) => all.some(wish));
  return fits === undefined ? all : all.filter(fits);
}

/**
 * Of which data source the recorded deletion shows most, by its place in the lists. What follows the newest one begins the list, so a
 * lost cursor would not show. Nothing follows the oldest, and hardly anything the one before it.
 */
export function wishesIn(lists: readonly (readonly Item[])[], hasModels: Wish): readonly Wish[] {
  const newest = new Set(lists.map(([item]) => item?.id));
  const isNotFirst: Wish = ({ id }) => !newest.has(id);
  const isBeforeLast = (count: number): Wish => {
    const oldest = new Set(lists.flatMap((items) => items.slice(-count).map(({ id }) => id)));
    return (one) => isNotFirst(one) && !oldest.has(one.id);
  };
  const places = [isBeforeLast(2), isBeforeLast(1), isNotFirst];
  return [
    ...places.map(
      (fits): Wish =>
        (one) =>
          hasModels(one) && fits(one),
    ),
    hasModels,
    ...places,
  ];
}
