import { type Api, as } from '../../engine/api.ts';
import { isListed } from '../../stage/deletion/still-listed.ts';
import { Blocked } from '../../engine/verdict.ts';
import { type Item, readPage } from '../../core/page.ts';
import type { ListFixture } from '../../stage/lists/lists.ts';
import { givenPage, requestPage } from '../../stage/lists/pages.ts';
import { walkBy } from '../../stage/lists/walk.ts';
import { sourceIdOf } from '../models/model-filters.ts';

/**
 * Whether the item is no longer in the list when it is read again, is marked as deleted there, or no longer belongs to that data
 * source. Blocked if the list can no longer be read up to the item.
 */
export async function isGone(
  api: Api,
  { list, admin, organizationId }: Omit<ListFixture, 'walk'>,
  id: string,
  sourceId?: string,
): Promise<boolean> {
  const isIt = (item: Item): boolean => item.id === id && (sourceId === undefined || sourceIdOf(item) === sourceId);
  const items: Item[] = [];
  try {
    await walkBy(
      async (query) => {
        const page = await givenPage(api, list, as(admin), organizationId, query);
        items.push(...page.items);
        return page;
      },
      { limit: 100 },
    );
  } catch (error) {
    // What refuses one cursor may refuse the cursors of this walk too.
    if (!(error instanceof Blocked) || !items.some(isIt)) throw error;
  }
  return !isListed(items, isIt);
}

/** The statuses of a cursor that a list does not accept. */
const refusals: readonly number[] = [400, 404, 410, 422];

/**
 * The same for an item whose ID the list refused as cursor. If the list twice refuses the cursor that its own page just gave, the refusal
 * says nothing about the item: then false.
 */
export async function isGoneAsCursor(api: Api, list: Omit<ListFixture, 'walk'>, id: string): Promise<boolean> {
  try {
    return await isGone(api, list, id);
  } catch (error) {
    const refuses =
      error instanceof Blocked && (await refusesOwnCursor(api, list)) && (await refusesOwnCursor(api, list));
    if (!refuses) throw error;
    return false;
  }
}

async function refusesOwnCursor(
  api: Api,
  { list, admin, organizationId }: Omit<ListFixture, 'walk'>,
): Promise<boolean> {
  const first = readPage(await requestPage(api, list, as(admin), organizationId, { limit: 100 }));
  if (first === undefined || !first.hasMore || first.nextCursor === null) return false;
  const query = { limit: 100, cursor: first.nextCursor };
  const { status } = await requestPage(api, list, as(admin), organizationId, query);
  return refusals.includes(status);
}
