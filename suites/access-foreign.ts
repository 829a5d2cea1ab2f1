import { must } from '../harness/answer.ts';
import { type Api, as } from '../harness/api.ts';
import { check, type Check } from '../harness/check.ts';
import type { Answer } from '../harness/exchange.ts';
import { at, stringAt } from '../harness/json.ts';
import { givenLists, givenLongestList, type ListFixture, listOperations, requestPage } from '../harness/lists.ts';
import type { Principal } from '../harness/target.ts';
import { describe } from '../harness/text.ts';
import { Blocked } from '../harness/verdict.ts';
import { detoursAround } from './detours.ts';

/** Section 4: what belongs to one organization is not shown under the path of another. */
export const accessForeign: readonly Check[] = [
  check('access.foreign-filter', async (api) => {
    const foreign = await givenLongestList(api, 'listModels', 1);
    const query = { databaseConnectionId: givenSourceOf(foreign), limit: 100 };
    for (const { own, principal } of await givenWaysAround(api, foreign)) {
      const answer = await requestPage(api, 'listModels', as(principal), own.organizationId, query);
      mustShowNothingOf(foreign, own, answer, 'filtered by its data source');
    }
  }),

  ...listOperations.map((list) =>
    check(
      'access.foreign-cursor',
      async (api) => {
        const foreign = await givenLongestList(api, list, 2);
        const query = { cursor: foreign.walk.items[0]?.id ?? '', limit: 100 };
        for (const { own, principal } of await givenWaysAround(api, foreign)) {
          const answer = await requestPage(api, list, as(principal), own.organizationId, query);
          mustShowNothingOf(foreign, own, answer, 'after its newest item');
        }
      },
      { on: list },
    ),
  ),
];

type WayAround = { readonly own: ListFixture; readonly principal: Principal };

/** Lists of other organizations, with those who may read them. Blocked where there is none. */
async function givenWaysAround(api: Api, { list, organizationId }: ListFixture): Promise<readonly WayAround[]> {
  const lists = await givenLists(api, list);
  const readable = lists.filter(({ walk }) => walk.complete);
  const isReadable = (id: string): boolean => readable.some((fixture) => fixture.organizationId === id);
  const ways = detoursAround(api, organizationId, isReadable).flatMap((detour) =>
    readable
      .filter((fixture) => fixture.organizationId === detour.organizationId)
      .map((own) => ({ own, principal: detour.principal })),
  );
  if (ways.length > 0) return ways;
  throw new Blocked('needs a second organization that a principal is adminOf');
}

/** The data source with the most models of the list. */
function givenSourceOf({ organizationId, walk }: ListFixture): string {
  const counts = new Map<string, number>();
  for (const { record } of walk.items) {
    const id = stringAt(record, 'databaseConnectionId');
    if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  if (most === undefined) throw new Blocked(`no model of ${organizationId} names its data source`);
  return most[0];
}

/** IDs may be unique within an organization only, so that an item which the path's own list has is no foreign one. */
function mustShowNothingOf(foreign: ListFixture, own: ListFixture, answer: Answer, how: string): void {
  const owned = new Set(own.walk.items.map(({ id }) => id));
  const hidden = new Set(foreign.walk.items.map(({ id }) => id).filter((id) => !owned.has(id)));
  const data = at(answer.json, 'data');
  const ids = Array.isArray(data) ? data.map((record) => stringAt(record, 'id') ?? '') : [];
  const shown = ids.filter((id) => hidden.has(id));
  const expected = `nothing of ${foreign.organizationId} in the list of ${own.organizationId}, ${how}`;
  must(shown.length === 0, expected, `${shown.length} of its items, such as ${describe(shown[0])}`, answer);
}
