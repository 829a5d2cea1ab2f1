import { stringAt } from '../../core/json.ts';
import type { Api } from '../../engine/api.ts';
import { givenLists } from '../lists/lists.ts';
import { isDeclared } from './declared.ts';
import type { Disposable } from './still-listed.ts';

/**
 * Recognizes the data sources that were created at the same time as another one which no run deletes: a deletion may reach all of
 * that time.
 */
export async function twinsIn(api: Api): Promise<(disposable: Disposable) => boolean> {
  const lists = await givenLists(api, 'listDataSources');
  return ({ organizationId, id, record }) => {
    const createdAt = stringAt(record, 'createdAt');
    const items = lists.find((list) => list.organizationId === organizationId)?.walk.items ?? [];
    const twins = items.filter((item) => item.createdAt === createdAt && item.id !== id);
    return createdAt !== undefined && twins.some((item) => !isDeclared(api, organizationId, item.id));
  };
}
