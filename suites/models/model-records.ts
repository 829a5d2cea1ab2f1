import type { Api } from '../../engine/api.ts';
import type { Answer } from '../../core/exchange.ts';
import { shared } from '../../engine/fixture.ts';
import { givenLists, givenLongestList, type ListFixture } from '../../stage/lists/lists.ts';
import { requestOnce } from '../../stage/lists/pages.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { type ReadRecord, recordsIn } from '../../promises/records.ts';
import { givenRecords, smallerPages } from './listed-records.ts';
import { sourceIdOf } from './model-filters.ts';

/**
 * Every model of every readable organization, each held against the schema once in a run; those of a few other kinds of
 * pages too, because a filtered or default page may be made elsewhere.
 */
export const givenModels = shared(async (api: Api): Promise<readonly ReadRecord[]> => [
  ...(await givenRecords(api, 'listModels')),
  ...(await otherPages(api)),
]);

/** Other lists of which a later page is read. */
const mostOthers = 3;

/** Pages of the longest list: default ones, those of one item, one after a cursor, and filtered ones; later pages of other lists. */
async function otherPages(api: Api): Promise<readonly ReadRecord[]> {
  const longest = await unlessBlocked(() => givenLongestList(api, 'listModels', 1));
  const first = longest?.walk.items[0];
  if (longest === undefined || first === undefined) return [];
  const records: ReadRecord[] = (await smallerPages(api, longest)).flatMap(recordsIn);
  records.push(...recordsIn(await requestOnce(api, longest, { cursor: first.id, limit: 2 })));
  records.push(...(await filteredPages(api, longest)).flatMap(recordsIn));
  const others = (await givenLists(api, 'listModels')).filter((list) => list !== longest);
  for (const list of others.filter(({ walk }) => walk.items.length > 1).slice(0, mostOthers)) {
    records.push(...recordsIn(await requestOnce(api, list, { cursor: list.walk.items[0]?.id ?? '', limit: 3 })));
  }
  return records;
}

/** The default page of the models of one data source, and the one after its newest model: of the data source with the most. */
export async function filteredPages(api: Api, list: ListFixture): Promise<readonly Answer[]> {
  const groups = [...Map.groupBy(list.walk.items, sourceIdOf).values()];
  const [[newest] = []] = groups.toSorted((one, other) => other.length - one.length);
  const databaseConnectionId = newest && sourceIdOf(newest);
  if (newest === undefined || databaseConnectionId === undefined) return [];
  return [
    await requestOnce(api, list, { databaseConnectionId }),
    await requestOnce(api, list, { databaseConnectionId, cursor: newest.id }),
  ];
}
