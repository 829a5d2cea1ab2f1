import type { Answer } from '../../core/exchange.ts';
import { type Api, as, type Query } from '../../engine/api.ts';
import { stringAt } from '../../core/json.ts';
import { adminOf, givenLists, givenLongestList, type ListFixture, requestAsOthers } from '../../stage/lists/lists.ts';
import { requestOnce, requestPage } from '../../stage/lists/pages.ts';
import { knownWalk } from '../../stage/lists/walk.ts';
import { type ListOperation, listOperations } from '../../core/page.ts';
import type { Principal } from '../../core/target.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { type ReadRecord, recordsIn } from '../../promises/records.ts';
import { Blocked } from '../../engine/verdict.ts';

/** Pages of one organization that are read if the list cannot be walked. */
const maxRawPages = 20;

/**
 * Every record of every readable organization. Where the walk of a list is blocked, such as by a record without an ID,
 * whatever its pages hold is read all the same, so that it can be judged. Blocked where there is nothing.
 */
export async function givenRecords(api: Api, list: ListOperation): Promise<readonly ReadRecord[]> {
  const records = await readRecords(api, list);
  if (records.length > 0) return records;
  throw new Blocked(`no declared organization shows a ${list === 'listModels' ? 'model' : 'data source'}`);
}

async function readRecords(api: Api, list: ListOperation): Promise<readonly ReadRecord[]> {
  const lists = (await unlessBlocked(() => givenLists(api, list))) ?? [];
  const records = lists.flatMap(({ walk }) => walk.pages.flatMap(({ answer }) => recordsIn(answer)));
  const longest = await unlessBlocked(() => givenLongestList(api, list, 1));
  if (longest !== undefined) records.push(...(await requestAsOthers(api, longest)).flatMap(recordsIn));
  for (const { id } of api.session.target.organizations) {
    const admin = adminOf(api, id);
    if (admin === undefined || lists.some(({ organizationId }) => organizationId === id)) continue;
    records.push(...(await readRaw(api, list, id, admin)));
  }
  return records;
}

/** Items that a walk without a limit reads: several pages of 50. */
export const drawnItems = 240;

/** The number of items that a walk in pages of one item reads. Both lists usually share the code that makes pages. */
export function singleItems(list: ListOperation): number {
  return list === listOperations[0] ? 6 : 4;
}

/** The answers of a walk without a limit, which {@link drawnItems} bounds, and of one in pages of one item. */
export async function smallerPages(api: Api, list: ListFixture): Promise<readonly Answer[]> {
  const byDefault = await answersOf(api, list, {}, drawnItems);
  const oneByOne = await answersOf(api, list, { limit: 1 }, singleItems(list.list));
  return [...byDefault, ...oneByOne];
}

/** The answers of a walk. If it is blocked, such as by an ID that is a number, its first answer, whose records can be judged. */
async function answersOf(api: Api, list: ListFixture, query: Query, items: number): Promise<readonly Answer[]> {
  const walk = await unlessBlocked(() => knownWalk(api, list, query, items));
  return walk?.pages.map(({ answer }) => answer) ?? [await requestOnce(api, list, query)];
}

async function readRaw(
  api: Api,
  list: ListOperation,
  organizationId: string,
  admin: Principal,
): Promise<readonly ReadRecord[]> {
  const records: ReadRecord[] = [];
  let query: Query = { limit: 100 };
  for (let page = 0; page < maxRawPages; page += 1) {
    const answer = await requestPage(api, list, as(admin), organizationId, query);
    records.push(...recordsIn(answer));
    const cursor = stringAt(answer.json, 'pagination', 'nextCursor');
    if (cursor === undefined) break;
    query = { limit: 100, cursor };
  }
  return records;
}
