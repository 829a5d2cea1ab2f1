import { must } from '../../engine/answer.ts';
import { isAfter } from '../../core/instant.ts';
import { type Api, as, type Query } from '../../engine/api.ts';
import type { ListFixture } from '../../stage/lists/lists.ts';
import { givenWalk } from '../../stage/lists/walk.ts';
import type { Item, Page } from '../../core/page.ts';
import { describe } from '../../core/text.ts';

/**
 * What was seen must be what the first walk showed there. Where it is not, the list may have changed in between, so it is
 * walked once more with `query`, that of the first walk, and only what both walks agree on is held against the deployment.
 */
export async function mustAgree(
  api: Api,
  fixture: ListFixture,
  seen: Page,
  expected: readonly Item[],
  where: string,
  query: Query = { limit: 100 },
): Promise<void> {
  if (sameIds(seen.items, expected)) return;
  const { list, admin, organizationId, walk } = fixture;
  const again = await givenWalk(api, list, as(admin), organizationId, query);
  const [first, second] = [orderOf(walk.items), orderOf(again.items)];
  const kept = (items: readonly Item[]) => items.filter(({ id }) => first.has(id) && second.has(id));
  const stable = kept(walk.items).map(({ id }) => id);
  const unordered = !sameIds(kept(walk.items), kept(again.items));
  must(
    !unordered,
    'the same order in two walks with limit=100',
    'another order',
    ...[walk, again].flatMap(({ pages }) => pages.map(({ answer }) => answer)).slice(0, 4),
  );
  const isWhole = walk.complete && again.complete;
  const changed = stable.length !== walk.items.length || stable.length !== again.items.length;
  // In a list that changes, another client may have made an item after the first walk, and deleted it before the second one.
  const isPassing = ({ createdAt }: Item): boolean => changed && isAfter(createdAt, walk.items[0]?.createdAt) === true;
  const foreign = seen.items.find((item) => !first.has(item.id) && !second.has(item.id) && !isPassing(item));
  // A full page that seems to be the last one may be what is wrong, so it is shown with its curl line.
  const last = again.pages.at(-1);
  const isCutOff = last?.items.length === 100;
  must(
    foreign === undefined || !isWhole,
    `${where}, only items that the walk with limit=100 shows`,
    `${describe(foreign?.id)}${isCutOff ? ', although the last page with limit=100 has hasMore false' : ''}`,
    ...(isCutOff ? [seen.answer, last.answer] : [seen.answer]),
  );
  const shouldShow = kept(expected).map(({ id }) => id);
  const shows = kept(seen.items).map(({ id }) => id);
  const wrong = changed
    ? shouldShow.slice(0, shows.length).some((id, index) => shows[index] !== id)
    : !sameIds(seen.items, expected);
  if (!wrong) return;
  const place = shows.findIndex((id, index) => shouldShow[index] !== id);
  must(false, `${where}: ${itemsAround(shouldShow, place)}`, itemsAround(shows, place), seen.answer);
}

/** Their number, and the one at that place if there is one. */
function itemsAround(ids: readonly string[], place: number): string {
  const count = `${ids.length} ${ids.length === 1 ? 'item' : 'items'}`;
  const id = ids[place];
  return id === undefined ? count : `${count}, number ${place + 1} ${describe(id)}`;
}

function sameIds(one: readonly Item[], other: readonly Item[]): boolean {
  return one.length === other.length && one.every(({ id }, index) => id === other[index]?.id);
}

function orderOf(items: readonly Item[]): ReadonlyMap<string, number> {
  return new Map(items.map(({ id }, index) => [id, index]));
}
