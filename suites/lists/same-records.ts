import { must } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import type { Answer } from '../../core/exchange.ts';
import { isSameTime } from '../../core/instant.ts';
import { at } from '../../core/json.ts';
import { type ListOperation, listOperations, readPage } from '../../core/page.ts';
import { describe } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';
import { createdOnce, type Showing, type Twice } from '../../promises/lists.ts';
import { givenLongestList, type ListFixture, requestAsOthers } from '../../stage/lists/lists.ts';
import { givenPageIn, requestOnce, requestPage, widest } from '../../stage/lists/pages.ts';
import { givenWalk } from '../../stage/lists/walk.ts';
import { filteredPages } from '../models/model-records.ts';
import { mustKeep } from '../shared/must-keep.ts';

/** Fields that only an update changes. What is sampled, synchronised or measured changes without one. */
const stored = {
  listModels: [
    'name',
    'referenceName',
    'description',
    'sqlQuery',
    'organizationId',
    'databaseConnectionId',
    'verifiedByMemberId',
    'grain',
    'usageGuidance',
  ],
  listDataSources: ['displayName', 'description', 'dialect', 'databaseName', 'host'],
} as const satisfies Readonly<Record<ListOperation, readonly string[]>>;

/** Sections 2.1 and 2.5: a record is the same on every page, and for every admin. */
export const sameRecords: readonly Check[] = listOperations.flatMap((list) => [
  check(
    'paging.same-records',
    async (api) => {
      const fixture = await givenLongestList(api, list, 2);
      // Another client may have changed a record, so that another attempt reads everything again.
      const walk = api.attempt === 1 ? fixture.walk : await walkAgain(api, fixture);
      const known = new Map(walk.pages.flatMap((page) => page.items.map((item) => [item.id, { item, page }])));
      let compared = 0;
      for (const answer of await otherPages(api, fixture)) {
        const page = readPage(answer);
        for (const item of page?.items ?? []) {
          const one = known.get(item.id);
          if (page === undefined || one === undefined) continue;
          compared += 1;
          mustBeSame(list, one, { item, page });
        }
      }
      if (compared === 0) throw new Blocked('no record was shown on two pages');
    },
    { on: list, tries: 3 },
  ),

  // Within one second, a time in whole seconds that is made anew for each answer looks the same.
  check(
    'paging.same-records',
    async (api) => {
      const fixture = await givenLongestList(api, list, 1);
      const known = new Map(fixture.walk.pages.flatMap((page) => page.items.map((item) => [item.id, { item, page }])));
      const answer = await requestPage(api, list, as(fixture.admin), fixture.organizationId, widest);
      const page = givenPageIn(fixture, answer);
      const shownTwice = page.items.flatMap((item): readonly Twice[] => {
        const one = known.get(item.id);
        return one === undefined ? [] : [[one, { item, page }]];
      });
      if (shownTwice.length === 0) throw new Blocked('no record that was shown before is shown again');
      mustKeep(createdOnce, shownTwice, answer);
    },
    { on: list, phase: 'later', variant: 'later', extended: true },
  ),
]);

function walkAgain(api: Api, { list, admin, organizationId }: ListFixture) {
  return givenWalk(api, list, as(admin), organizationId, { limit: 100 });
}

/** Pages with other limits, cursors and readers. */
async function otherPages(api: Api, fixture: ListFixture): Promise<readonly Answer[]> {
  const cursor = fixture.walk.items[0]?.id ?? '';
  const queries = [{}, { limit: 1 }, { cursor }, { cursor, limit: 2 }];
  const pages: Answer[] = [];
  for (const query of queries) pages.push(await requestOnce(api, fixture, query));
  if (fixture.list === 'listModels') pages.push(...(await filteredPages(api, fixture)));
  return [...pages, ...(await requestAsOthers(api, fixture))];
}

/** `updatedAt` is the time of the last update: where it is the same, what only an update changes is the same too. */
function mustBeSame(list: ListOperation, one: Showing, other: Showing): void {
  const [record, again] = [one.item.record, other.item.record];
  const isUnchanged = isSameTime(at(record, 'updatedAt'), at(again, 'updatedAt'));
  for (const field of isUnchanged ? stored[list] : []) {
    const [expected, actual] = [at(record, field) ?? null, at(again, field) ?? null];
    // Most records are the same, and describing them all takes longer than comparing them.
    if (expected === actual || !isTextOrNull(expected) || !isTextOrNull(actual)) continue;
    const shown = `${field} ${describe(expected)} of ${describe(one.item.id)} on every page`;
    must(false, shown, describe(actual), one.page.answer, other.page.answer);
  }
  mustKeep(createdOnce, [[one, other]], one.page.answer, other.page.answer);
}

/** Another type breaks the requirement of that field. */
function isTextOrNull(value: unknown): boolean {
  return typeof value === 'string' || value === null;
}
