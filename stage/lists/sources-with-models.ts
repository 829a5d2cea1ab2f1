import type { Api } from '../../engine/api.ts';
import { stringAt } from '../../core/json.ts';
import { givenLists } from './lists.ts';
import { unlessBlocked } from './snapshot.ts';

type Source = { readonly organizationId: string; readonly id: string };

/** Recognizes the data sources that have models, in the lists that can be read. Another organization may have the same IDs. */
export async function sourcesWithModels(api: Api): Promise<(source: Source) => boolean> {
  const lists = (await unlessBlocked(() => givenLists(api, 'listModels'))) ?? [];
  return ({ organizationId, id }) =>
    lists.some(
      (list) =>
        list.organizationId === organizationId &&
        list.walk.items.some(({ record }) => stringAt(record, 'databaseConnectionId') === id),
    );
}
