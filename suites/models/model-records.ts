import type { Api, Query } from '../../engine/api.ts';
import { shared } from '../../engine/fixture.ts';
import { stringAt } from '../../core/json.ts';
import { requestOnce } from '../../stage/lists/known-pages.ts';
import { givenLongestList } from '../../stage/lists/lists.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { type ReadRecord, recordsIn } from '../../promises/records.ts';
import { givenRecords } from './listed-records.ts';

/**
 * Every model of every readable organization, each held against the schema once in a run; those of a few other kinds of
 * pages too, because a filtered or default page may be made elsewhere.
 */
export const givenModels = shared(async (api: Api): Promise<readonly ReadRecord[]> => [
  ...(await givenRecords(api, 'listModels')),
  ...(await otherPages(api)),
]);

/** Pages of the longest list: the default one, one of one item, one after a cursor, and a filtered one. */
async function otherPages(api: Api): Promise<readonly ReadRecord[]> {
  const longest = await unlessBlocked(() => givenLongestList(api, 'listModels', 1));
  const middle = longest?.walk.items[Math.floor(longest.walk.items.length / 2)];
  if (longest === undefined || middle === undefined) return [];
  const databaseConnectionId = stringAt(middle.record, 'databaseConnectionId');
  const queries: readonly Query[] = [
    {},
    { limit: 1 },
    { cursor: middle.id, limit: 3 },
    ...(databaseConnectionId === undefined ? [] : [{ databaseConnectionId, limit: 20 }]),
  ];
  const records: ReadRecord[] = [];
  for (const query of queries) {
    records.push(...recordsIn(await requestOnce(api, longest, query)));
  }
  return records;
}
