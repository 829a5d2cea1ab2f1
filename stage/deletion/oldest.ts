import type { Api } from '../../engine/api.ts';
import { givenLists } from '../lists/lists.ts';
import type { Disposable } from './still-listed.ts';

/** Recognizes the last data source of a list: once it is deleted, a page shows whether hasMore counts what is left out behind it. */
export async function oldestIn(api: Api): Promise<(disposable: Disposable) => boolean> {
  const lists = await givenLists(api, 'listDataSources');
  return ({ organizationId, id }) =>
    lists.some((list) => list.organizationId === organizationId && list.walk.items.at(-1)?.id === id);
}

/** The same data sources, in the same order but with those last. */
export async function oldestLast(api: Api, some: readonly Disposable[]): Promise<readonly Disposable[]> {
  const isOldest = await oldestIn(api);
  return some.toSorted((one, other) => Number(isOldest(one)) - Number(isOldest(other)));
}
