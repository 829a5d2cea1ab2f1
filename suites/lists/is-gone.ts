import { type Api, as } from '../../engine/api.ts';
import { givenWalk, type ListFixture } from '../../stage/lists/lists.ts';
import { sourceIdOf } from '../models/model-filters.ts';

/** Whether the whole list, read afresh, does not have the item, or not over that data source: then it is no wonder. */
export async function isGone(
  api: Api,
  { list, admin, organizationId }: Omit<ListFixture, 'walk'>,
  id: string,
  sourceId?: string,
): Promise<boolean> {
  const { items } = await givenWalk(api, list, as(admin), organizationId, { limit: 100 });
  return items.every((item) => item.id !== id || (sourceId !== undefined && sourceIdOf(item) !== sourceId));
}
