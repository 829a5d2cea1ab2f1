import { type Api, as } from '../../engine/api.ts';
import type { ListFixture } from '../../stage/lists/lists.ts';
import { givenWalk } from '../../stage/lists/walk.ts';
import { sourceIdOf } from '../models/model-filters.ts';

/** Whether the item is no longer in the list when it is read again, or no longer belongs to that data source. */
export async function isGone(
  api: Api,
  { list, admin, organizationId }: Omit<ListFixture, 'walk'>,
  id: string,
  sourceId?: string,
): Promise<boolean> {
  const { items } = await givenWalk(api, list, as(admin), organizationId, { limit: 100 });
  return items.every((item) => item.id !== id || (sourceId !== undefined && sourceIdOf(item) !== sourceId));
}
