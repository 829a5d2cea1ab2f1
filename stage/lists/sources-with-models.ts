import type { Api } from '../../engine/api.ts';
import { stringAt } from '../../core/json.ts';
import { givenLists } from './lists.ts';
import { unlessBlocked } from './snapshot.ts';

/** The IDs of the data sources that have models, in the lists that can be read. */
export async function sourcesWithModels(api: Api): Promise<ReadonlySet<string>> {
  const lists = (await unlessBlocked(() => givenLists(api, 'listModels'))) ?? [];
  const ids = lists.flatMap(({ walk }) => walk.items.map(({ record }) => stringAt(record, 'databaseConnectionId')));
  return new Set(ids.filter((id) => id !== undefined));
}
