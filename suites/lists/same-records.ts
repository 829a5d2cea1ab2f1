import { must } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import type { Answer } from '../../core/exchange.ts';
import { isCoarse, isSameTime } from '../../core/instant.ts';
import { at } from '../../core/json.ts';
import { type Item, type ListOperation, listOperations, type Page, readPage } from '../../core/page.ts';
import { describe } from '../../core/text.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import { Blocked } from '../../engine/verdict.ts';
import { createdOnce, type Showing, type Twice } from '../../promises/lists.ts';
import { givenLongestList, type ListFixture, requestAsOthers } from '../../stage/lists/lists.ts';
import { givenPageIn, requestOnce, requestPage, widest } from '../../stage/lists/pages.ts';
import { givenWalk } from '../../stage/lists/walk.ts';
import { smallerPages } from '../models/listed-records.ts';
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
    'verifiedAt',
    'verifiedByMemberId',
    'grain',
    'usageGuidance',
    'measures',
    'segments',
    'synonyms',
    'keyColumns',
    'defaultTimeColumn',
    'relationships',
  ],
  listDataSources: [
    'displayName',
    'description',
    'dialect',
    'databaseName',
    'host',
    'port',
    'username',
    'sslEnabled',
    'sshEnabled',
    'isDemo',
    'isServiceWarehouse',
  ],
} as const satisfies Readonly<Record<ListOperation, readonly string[]>>;

/** A member may verify a model without updating it. */
const verification: ReadonlySet<string> = new Set(['verifiedAt', 'verifiedByMemberId']);

/** Sections 2.1 and 2.5: a record is the same on every page, and for every admin. */
export const sameRecords: readonly Check[] = listOperations.flatMap((list) => [
  check('paging.same-records', { on: list, tries: 3 }, async (api) => {
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
        const field = changedField(list, one.item, item);
        if (field !== undefined) await mustNotChange(api, fixture, field, one, { item, page });
        mustKeep(createdOnce, [[one, { item, page }]], one.page.answer, page.answer);
      }
    }
    if (compared === 0) throw new Blocked('no record was shown on two pages');
  }),

  // Within one second, a time in whole seconds that is made anew for each answer looks the same.
  check('paging.same-records', { on: list, phase: 'later', variant: 'later', extended: true }, async (api) => {
    const fixture = await givenLongestList(api, list, 1);
    const known = new Map(fixture.walk.pages.flatMap((page) => page.items.map((item) => [item.id, { item, page }])));
    const page = await givenLaterPage(api, fixture);
    const shownTwice = page.items.flatMap((item): readonly Twice[] => {
      const one = known.get(item.id);
      return one === undefined ? [] : [[one, { item, page }]];
    });
    if (shownTwice.length === 0) throw new Blocked('no record that was shown before is shown again');
    mustKeep(createdOnce, shownTwice, page.answer);
  }),
]);

/** The widest pages of each list, read once when some time has passed. */
const laterPagesIn = perRun(() => new Map<ListFixture, Promise<Page>>());

/** The first page of the longest list once more, later in the run. */
export function givenLaterPage(api: Api, fixture: ListFixture): Promise<Page> {
  const { list, admin, organizationId } = fixture;
  const pages = laterPagesIn(api.session);
  const page =
    pages.get(fixture) ??
    requestPage(api, list, as(admin), organizationId, widest).then((answer) => givenPageIn(fixture, answer));
  pages.set(fixture, page);
  return page;
}

function walkAgain(api: Api, { list, admin, organizationId }: ListFixture) {
  return givenWalk(api, list, as(admin), organizationId, { limit: 100 });
}

/** Pages with other limits, cursors and readers. */
async function otherPages(api: Api, fixture: ListFixture): Promise<readonly Answer[]> {
  const cursor = fixture.walk.items[0]?.id ?? '';
  const queries = [{}, { cursor }, { cursor, limit: 2 }];
  const pages: Answer[] = [...(await smallerPages(api, fixture))];
  for (const query of queries) pages.push(await requestOnce(api, fixture, query));
  if (fixture.list === 'listModels') pages.push(...(await filteredPages(api, fixture)));
  return [...pages, ...(await requestAsOthers(api, fixture))];
}

/** `updatedAt` is the time of the last update: where it is the same, what only an update changes is the same too. */
function changedField(list: ListOperation, { record }: Item, { record: again }: Item): string | undefined {
  if (isSameTime(at(record, 'updatedAt'), at(again, 'updatedAt')) !== true) return undefined;
  return stored[list].find((field) => differs(field, at(record, field), at(again, field)));
}

/** Another type breaks the requirement of that field, and a record may leave out a field. */
function differs(field: string, was: unknown, is: unknown): boolean {
  const [one, other] = [storedForm(field, was), storedForm(field, is)];
  if (one === undefined || other === undefined || isSameTime(one, other) === true) return false;
  return one !== other && (one === null || other === null || typeof one === typeof other);
}

/** Where updatedAt may not show it, the same page must still show what it showed: otherwise other traffic edits the record. */
async function mustNotChange(
  api: Api,
  fixture: ListFixture,
  field: string,
  { item, page }: Showing,
  other: Showing,
): Promise<void> {
  const place = differingPlace(field, item.record, other.item.record);
  const [was, is] = [item, other.item].map(({ record }) => describe(at(record, field, ...place)));
  const isUnseen = verification.has(field) || isCoarse(at(item.record, 'updatedAt')) === true;
  const items = isUnseen ? (await walkAgain(api, fixture)).items : [];
  const again = items.find(({ id }) => id === item.id);
  const isEdited = again !== undefined && changedField(fixture.list, item, again) === field;
  if (isEdited) throw new Blocked(`${field} of ${describe(item.id)} changes while its updatedAt stays the same`);
  const name = [field, ...place].join('.');
  must(false, `${name} ${was} of ${describe(item.id)} on every page`, `${is}`, page.answer, other.page.answer);
}

/** The place in an ordered list at which two records differ first: the lists as a whole may look the same where they are cut. */
function differingPlace(field: string, one: unknown, other: unknown): readonly number[] {
  const [was, is] = [at(one, field), at(other, field)];
  if (!ordered.has(field) || !Array.isArray(was) || !Array.isArray(is)) return [];
  const place = was.findIndex((part, index) => storedForm(field, [part]) !== storedForm(field, [is[index]]));
  return place < 0 ? [] : [place];
}

/** What measures and segments hold, and relationships. */
const storedParts = ['name', 'sql', 'targetModelId', 'sourceColumn', 'targetColumn', 'cardinality'] as const;

/** What the specification calls ordered. */
const ordered: ReadonlySet<string> = new Set(['measures', 'segments']);

/** A value that can be compared; undefined for an object. Of a list that is not ordered, such as synonyms, it is the same in any order. */
function storedForm(field: string, value: unknown): unknown {
  if (!Array.isArray(value)) return typeof value === 'object' && value !== null ? undefined : value;
  const parts = value.map((one: unknown) => (typeof one === 'string' ? one : storedParts.map((part) => at(one, part))));
  const texts = parts.map((part) => JSON.stringify(part));
  return (ordered.has(field) ? texts : texts.toSorted()).join();
}
