import { must } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import type { Answer } from '../../core/exchange.ts';
import { isAfter } from '../../core/instant.ts';
import { at, stringAt } from '../../core/json.ts';
import { type Item, type ListOperation, listOperations, readPage } from '../../core/page.ts';
import { describe } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenLongestList, type ListFixture, requestAsOthers } from '../../stage/lists/lists.ts';
import { requestOnce } from '../../stage/lists/pages.ts';
import { givenWalk } from '../../stage/lists/walk.ts';

/** Fields that only an update changes. What is sampled, synchronised or measured changes without one. */
const stored = {
  listModels: ['name', 'referenceName', 'sqlQuery', 'organizationId', 'databaseConnectionId', 'verifiedByMemberId'],
  listDataSources: ['displayName', 'dialect', 'databaseName', 'host'],
} as const satisfies Readonly<Record<ListOperation, readonly string[]>>;

/** Sections 2.1 and 2.5: a record is the same on every page, and for every admin. */
export const sameRecords: readonly Check[] = listOperations.map((list) =>
  check(
    'paging.same-records',
    async (api) => {
      const fixture = await givenLongestList(api, list, 2);
      // Another client may have changed a record, so that another attempt reads everything again.
      const walk = api.attempt === 1 ? fixture.walk : await walkAgain(api, fixture);
      const known = new Map(
        walk.pages.flatMap(({ answer, items }) => items.map((item) => [item.id, { item, answer }])),
      );
      let compared = 0;
      for (const answer of await otherPages(api, fixture)) {
        for (const item of readPage(answer)?.items ?? []) {
          const one = known.get(item.id);
          if (one === undefined) continue;
          compared += 1;
          mustBeSame(list, one, { item, answer });
        }
      }
      if (compared === 0) throw new Blocked('no record was shown on two pages');
    },
    { on: list, tries: 3 },
  ),
);

type Shown = { readonly item: Item; readonly answer: Answer };

function walkAgain(api: Api, { list, admin, organizationId }: ListFixture) {
  return givenWalk(api, list, as(admin), organizationId, { limit: 100 });
}

/** Pages with other limits, cursors and readers. */
async function otherPages(api: Api, fixture: ListFixture): Promise<readonly Answer[]> {
  const cursor = fixture.walk.items[0]?.id ?? '';
  const queries = [{}, { limit: 1 }, { cursor }, { cursor, limit: 2 }];
  const pages: Answer[] = [];
  for (const query of queries) pages.push(await requestOnce(api, fixture, query));
  return [...pages, ...(await requestAsOthers(api, fixture))];
}

/** `updatedAt` is the time of the last update: where it is the same, what only an update changes is the same too. */
function mustBeSame(list: ListOperation, one: Shown, other: Shown): void {
  const [record, again] = [one.item.record, other.item.record];
  const isUnchanged = isSameTime(at(record, 'updatedAt'), at(again, 'updatedAt'));
  for (const field of isUnchanged ? stored[list] : []) {
    const [expected, actual] = [stringAt(record, field), stringAt(again, field)];
    const holds = expected === undefined || actual === undefined || expected === actual;
    mustShow(holds, field, one, other);
  }
  const [created, later] = [one.item.createdAt, other.item.createdAt];
  mustShow(isSameTime(created, later) !== false, 'createdAt', one, other);
}

function mustShow(holds: boolean, field: string, one: Shown, other: Shown): void {
  const expected = `${field} ${describe(at(one.item.record, field))} of ${describe(one.item.id)} on every page`;
  must(holds, expected, describe(at(other.item.record, field)), one.answer, other.answer);
}

/** Undefined if one of them cannot be read. */
function isSameTime(one: unknown, other: unknown): boolean | undefined {
  const [isLater, isEarlier] = [isAfter(one, other), isAfter(other, one)];
  return isLater === undefined ? undefined : !isLater && isEarlier === false;
}
