import { must, mustStatus } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import type { Answer } from '../../core/exchange.ts';
import { shared } from '../../engine/fixture.ts';
import { at, stringAt } from '../../core/json.ts';
import { givenLists, givenLongestList, type ListFixture } from '../../stage/lists/lists.ts';
import { requestPage } from '../../stage/lists/pages.ts';
import type { Walk } from '../../stage/lists/walk.ts';
import { type Item, listOperations, type Page, readPage } from '../../core/page.ts';
import { sameJson } from '../../core/same-json.ts';
import type { Principal } from '../../core/target.ts';
import { describe } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';
import { noteMistake, withForeignCursor } from '../shared/mistakes.ts';
import { detoursAround } from './detours.ts';
import { sourceIdOf } from '../models/model-filters.ts';

/** Section 4: what belongs to one organization is not shown under the path of another. */
export const accessForeign: readonly Check[] = [
  check('access.foreign-filter', async (api) => {
    const { foreign, filtered } = await givenForeignFilter(api);
    for (const { own, answer } of filtered) mustShowNothingOf(foreign, own, answer, 'filtered by its data source');
  }),

  // An empty list and another refusal are legal, but no other data source that is not found is answered so.
  check('access.foreign-filter-404', async (api) => {
    const { sourceId, filtered } = await givenForeignFilter(api);
    const sources = await givenLists(api, 'listDataSources');
    const unlike = filtered.filter(({ own }) =>
      sources.some(
        ({ organizationId, walk }) =>
          organizationId === own.organizationId && walk.complete && !walk.items.some(({ id }) => id === sourceId),
      ),
    );
    if (unlike.length === 0) throw new Blocked('other organizations may have a data source with the same ID');
    for (const { own, answer } of unlike) {
      mustStatus(answer, 404, `in ${own.organizationId}, filtered by a data source of another organization`);
    }
  }),

  // A refusal and an empty list are legal; ignoring the filter is not.
  check('models.filter', { variant: 'foreign', extended: true }, async (api) => {
    const { sourceId, filtered } = await givenForeignFilter(api);
    const telling = filtered.filter(({ own }) => own.walk.items.some((model) => sourceIdOf(model) !== sourceId));
    if (telling.length === 0) throw new Blocked('needs a model in a second organization that a principal is adminOf');
    for (const { own, answer } of telling) {
      const stray = readPage(answer)?.items.find((model) => sourceIdOf(model) !== sourceId);
      const expected = `in ${own.organizationId}, filtered by ${describe(sourceId)} of another organization, no model of another data source`;
      must(stray === undefined, expected, `${describe(stray?.id)} of ${describe(stray && sourceIdOf(stray))}`, answer);
    }
  }),

  check('access.foreign-list', async (api) => {
    const lists = await givenLists(api, 'listDataSources');
    if (lists.length < 2) throw new Blocked('needs a second organization that a principal is adminOf');
    const shared = lists.flatMap((own, index) => lists.slice(0, index).flatMap((other) => sharedBy(own, other)));
    const certain = shared.find(({ item }) => drawn.test(item.id));
    if (certain !== undefined) {
      const { item, own, other } = certain;
      const expected = `no data source of ${other.organizationId} in the list of ${own.organizationId}`;
      const answers = [own, other].flatMap(({ walk }) => pageWith(walk, item)?.answer ?? []);
      must(false, expected, `${describe(item.id)}, with the same record, in both`, ...answers);
    }
    if (shared.length > 0)
      throw new Blocked('two data sources with the same ID and record may belong to two organizations');
  }),

  ...listOperations.map((list) =>
    check('access.foreign-cursor', { on: list }, async (api) => {
      const foreign = await givenLongestList(api, list, 2);
      const query = { cursor: foreign.walk.items[0]?.id ?? '', limit: 100 };
      for (const { own, principal } of await givenWaysAround(api, foreign)) {
        const answer = await requestPage(api, list, as(principal), own.organizationId, query);
        noteMistake(api, list, withForeignCursor, answer);
        mustShowNothingOf(foreign, own, answer, 'after its newest item');
      }
    }),
  ),
];

type ForeignFilter = {
  readonly foreign: ListFixture;
  readonly sourceId: string;
  /** The lists of other organizations, filtered by that data source. */
  readonly filtered: readonly { readonly own: ListFixture; readonly answer: Answer }[];
};

const givenForeignFilter = shared(async (api: Api): Promise<ForeignFilter> => {
  const foreign = await givenLongestList(api, 'listModels', 1);
  const sourceId = givenSourceOf(foreign);
  const query = { databaseConnectionId: sourceId, limit: 100 };
  const filtered = [];
  for (const { own, principal } of await givenWaysAround(api, foreign)) {
    const answer = await requestPage(api, 'listModels', as(principal), own.organizationId, query);
    filtered.push({ own, answer });
  }
  return { foreign, sourceId, filtered };
});

type WayAround = { readonly own: ListFixture; readonly principal: Principal };

/** Lists of other organizations, and their admins. Blocked if there is none. */
async function givenWaysAround(api: Api, { list, organizationId }: ListFixture): Promise<readonly WayAround[]> {
  const lists = await givenLists(api, list);
  const readable = lists.filter(({ walk }) => walk.complete);
  const isAmong = (some: readonly ListFixture[]) => (id: string) =>
    some.some((fixture) => fixture.organizationId === id);
  // An empty list shows less.
  const full = readable.filter(({ walk }) => walk.items.length > 0);
  const fullDetours = detoursAround(api, organizationId, isAmong(full));
  const detours = fullDetours.length > 0 ? fullDetours : detoursAround(api, organizationId, isAmong(readable));
  const ways = detours.flatMap((detour) =>
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

/** IDs may be unique only within an organization, so an item of the path's own list is not foreign. */
function mustShowNothingOf(foreign: ListFixture, own: ListFixture, answer: Answer, how: string): void {
  const owned = new Set(own.walk.items.map(({ id }) => id));
  const hidden = new Set(foreign.walk.items.map(({ id }) => id).filter((id) => !owned.has(id)));
  const data = at(answer.json, 'data');
  const ids = Array.isArray(data) ? data.map((record) => stringAt(record, 'id') ?? '') : [];
  const shown = ids.filter((id) => hidden.has(id));
  const expected = `nothing of ${foreign.organizationId} in the list of ${own.organizationId}, ${how}`;
  must(shown.length === 0, expected, `${shown.length} of its items, such as ${describe(shown[0])}`, answer);
}

/** Letters after digits, in eight or more characters: an ID that was drawn, and not counted or named in each organization. */
const drawn = /(?<![A-Za-z0-9])(?=[A-Za-z0-9]{8})[A-Za-z0-9]*\d[A-Za-z]/; // in linear time: it begins only where letters and digits do

type Shared = { readonly item: Item; readonly own: ListFixture; readonly other: ListFixture };

/** The records that are the same in two lists. One for demonstrations may be shown to each organization. */
function sharedBy(own: ListFixture, other: ListFixture): readonly Shared[] {
  const others = new Map(other.walk.items.map((item) => [item.id, item]));
  return own.walk.items
    .filter(({ id, record }) => at(record, 'isDemo') !== true && sameJson(record, others.get(id)?.record))
    .map((item) => ({ item, own, other }));
}

function pageWith({ pages }: Walk, { id }: Item): Page | undefined {
  return pages.find(({ items }) => items.some((item) => item.id === id));
}
