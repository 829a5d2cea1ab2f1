import { type Api, as } from '../../engine/api.ts';
import { isListed } from '../../stage/deletion/still-listed.ts';
import { Blocked } from '../../engine/verdict.ts';
import type { Item } from '../../core/page.ts';
import type { ListFixture } from '../../stage/lists/lists.ts';
import { givenPage } from '../../stage/lists/pages.ts';
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
