import { must, mustHaveErrorBody, mustNotSucceed, mustStatus } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { delicateIds } from '../../stage/lists/delicate-ids.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import { at } from '../../core/json.ts';
import { givenLists } from '../../stage/lists/lists.ts';
import { knownPage } from '../../stage/lists/pages.ts';
import { type Page, readPage } from '../../core/page.ts';
import { describe } from '../../core/text.ts';
import { beginningOf, nearlyId, inOtherCase, resemblingIds, unknownId } from '../../stage/lists/unknown-id.ts';
import { Blocked } from '../../engine/verdict.ts';
import { aboutNothing } from '../access/disclosure.ts';
import { noteMistake } from '../shared/mistakes.ts';
import {
  type FilterCase,
  givenFilterCases,
  hiddenFromList,
  missingFrom,
  mustShowExactly,
  mustTell,
  smallLimit,
  walkFiltered,
} from './model-filters.ts';

/** Data sources of one organization whose filters are walked. */
const maxFilters = 8;

/** Section 4.1: the filter, and what is answered about what does not exist. */
export const modelLists: readonly Check[] = [
  check('models.filter', async (api) => {
    const cases = await givenFilterCases(api);
    for (const filtered of chosen(cases)) {
      await mustShowExactly(api, filtered, await walkFiltered(api, filtered, smallLimit(filtered)));
    }
    // models.filter-partition asks for some of the same pages.
    for (const filtered of easilyConfused(cases)) {
      await mustShowExactly(api, filtered, await walkFiltered(api, filtered, 100));
    }
    // models.unknown-data-source asks for the same page.
    const [needed] = byNeed(cases);
    if (needed !== undefined) await mustShowExactly(api, needed, await walkFiltered(api, needed, undefined));
    mustTell(cases);
  }),

  check('models.filter', { variant: 'escaped', extended: true }, async (api) => {
    const cases = byNeed(await givenFilterCases(api)).filter(({ models }) => models.length > 0);
    const known = cases.find(({ models }) => models.length > 1) ?? cases[0];
    if (known === undefined) throw new Blocked('needs an organization with a data source that has models');
    const { list, sourceId, models } = known;
    const cursors = models.length > 1 ? models.slice(0, 1).map(({ id }) => id) : [];
    const query = {
      databaseConnectionId: sourceId,
      limit: 1,
      ...(cursors[0] === undefined ? {} : { cursor: cursors[0] }),
    };
    const usual = await knownPage(api, list, query);
    const ids = [list.organizationId, sourceId, ...cursors];
    const inOne = await api.listModels({ ...as(list.admin), rewritten: escaping(ids) }, list.organizationId, query);
    if (showsSame(inOne, usual.answer)) return;
    for (const id of ids) {
      const rewritten = escaping([id]);
      const answer = await api.listModels({ ...as(list.admin), rewritten }, list.organizationId, query);
      // A gateway may refuse an escape that is not needed, and so may a framework in a path.
      const isOwn = at(answer.json, 'error') !== undefined;
      const mayRefuse = !isOwn || (id === list.organizationId && answer.status !== 404);
      if ((!isSuccess(answer) && mayRefuse) || showsSame(answer, usual.answer)) continue;
      const again = await api.listModels(as(list.admin), list.organizationId, query);
      if (!showsSame(again, usual.answer)) throw new Blocked('the models of the data source change');
      const expected = `the same models for ${describe(id)} with its characters percent-encoded`;
      must(false, expected, summary(answer), answer, again);
    }
  }),

  check('models.filter-partition', async (api) => {
    const cases = givenPartition(await givenFilterCases(api));
    const pageOf = new Map<string, { readonly sourceId: string; readonly page: Page | undefined }>();
    for (const filtered of cases) {
      const walk = await walkFiltered(api, filtered, 100);
      for (const { id } of walk.items) {
        const page = walk.pages.find(({ items }) => items.some((item) => item.id === id));
        // An ID may be unique within its organization only.
        const name = JSON.stringify([filtered.list.organizationId, id]);
        const earlier = pageOf.get(name);
        const both = `${describe(id)} under ${describe(earlier?.sourceId)} and ${describe(filtered.sourceId)}`;
        const pages = [earlier?.page, page].flatMap((one) => (one === undefined ? [] : [one.answer]));
        must(earlier === undefined, 'each model under one data source', both, ...pages);
        pageOf.set(name, { sourceId: filtered.sourceId, page });
      }
      const [missing] = await missingFrom(api, filtered, walk);
      const pages = walk.pages.map(({ answer }) => answer);
      must(
        missing === undefined,
        'each model under its data source',
        `${describe(missing?.id)} missing`,
        ...pages.slice(-4),
      );
      const [hidden] = await hiddenFromList(api, filtered, walk);
      const shown = `${describe(hidden?.id)} under ${describe(filtered.sourceId)} alone`;
      must(hidden === undefined, 'only models that the whole list shows', shown, ...pages.slice(0, 1));
    }
  }),

  check('models.unknown-organization', async (api) => {
    const [list] = await givenLists(api, 'listModels');
    if (list === undefined) throw new Blocked('no organization can be read');
    const known = await aboutNothing(api, 'listModels');
    const other = () => api.listModels(as(list.admin), unknownId(api, list.organizationId, 'another'));
    const answer = known.status === 404 ? known : await other();
    mustStatus(answer, 404, 'for an organization that does not exist');
    mustHaveErrorBody(answer);
    mustNotSucceed(await api.listModels(as(list.admin), anyText), 'for the organization ID %, which is no pattern');
    const declared = api.session.target.organizations.map(({ id }) => id);
    for (const id of resemblingIds(list.organizationId, declared)) {
      mustNotSucceed(
        await api.listModels(as(list.admin), id),
        `for the organization ID ${describe(id)}, which does not exist`,
      );
    }
    const nearly = nearlyId(list.organizationId);
    if (nearly === undefined) return;
    const found = await api.listModels(as(list.admin), nearly, { limit: 1 }, { judged: false });
    mustNotShow(found, 'organizationId', list.organizationId, `for the organization ID ${describe(nearly)}`);
  }),

  check('models.unknown-data-source', async (api) => {
    const cases = byNeed(await givenFilterCases(api));
    const [known] = cases;
    if (known === undefined) throw new Blocked('needs an organization with a data source');
    const { list, sourceId } = known;
    await knownPage(api, list, { databaseConnectionId: sourceId });
    const answer = await firstUnknown(api, list, sourceId);
    noteMistake(api, 'listModels', 'with an unknown filter', answer);
    mustStatus(answer, 404, 'filtered by a data source that does not exist');
    mustHaveErrorBody(answer);
    const swapped = inOtherCase(sourceId);
    const unknown = [anyText, ...(swapped === undefined || isKnown(cases, swapped) ? [] : [swapped])];
    // With a limit, because other code may then read the page.
    for (const databaseConnectionId of unknown) {
      const found = await api.listModels(as(list.admin), list.organizationId, { limit: 1, databaseConnectionId });
      mustNotSucceed(found, `with a limit, filtered by ${describe(databaseConnectionId)}, which is no data source`);
    }
    const nearly = nearlyId(sourceId);
    if (nearly !== undefined) {
      const query = { limit: 1, databaseConnectionId: nearly };
      const found = await api.listModels(as(list.admin), list.organizationId, query, { judged: false });
      mustNotShow(found, 'databaseConnectionId', sourceId, `filtered by ${describe(nearly)}`);
    }
    const cursor = list.walk.items[0]?.id;
    if (cursor === undefined) return;
    // The cursor may be refused first: it names no model of that data source.
    const behind = await api.listModels(as(list.admin), list.organizationId, {
      databaseConnectionId: beginningIn(cases, list) ?? unknownId(api, sourceId, 'behind a cursor'),
      cursor,
    });
    mustNotSucceed(behind, 'with a cursor, filtered by a data source that does not exist');
  }),
];

/** A list about what has nearly the same ID may exist, but shows no model of the one that is known. */
function mustNotShow(answer: Answer, field: string, id: string, when: string): void {
  const shown = readPage(answer)?.items.find(({ record }) => at(record, field) === id);
  must(shown === undefined, `no model with the ${field} ${describe(id)} ${when}`, describe(shown?.id), answer);
}

function showsSame(one: Answer, other: Answer): boolean {
  const idsOf = (answer: Answer) => describe(readPage(answer)?.items.map(({ id }) => id));
  return idsOf(one) === idsOf(other);
}

/** Writes these IDs of a path and its query in another way. */
const escaping =
  (ids: readonly string[]) =>
  (path: string): string =>
    ids.reduce((written, id) => written.replace(encodeURIComponent(id), escaped(id)), path);

/** The ID percent-encoded, with escapes in lower case where none is needed. Dots stay: frameworks refuse escaped ones in a path. */
function escaped(id: string): string {
  const escape = (one: string): string => `%${one.charCodeAt(0).toString(16)}`;
  return encodeURIComponent(id).replaceAll(/%[0-9A-F]{2}|[A-Za-z0-9_~-]/g, (one) =>
    one.length > 1 ? one : escape(one),
  );
}

function isKnown(cases: readonly FilterCase[], id: string): boolean {
  return cases.some(({ sourceId }) => sourceId === id);
}

/** A store that compares with LIKE finds every ID by it. */
const anyText = '%';

/** The answer about an unknown ID that resembles a known one; a second ID distinguishes a fault from a coincidence. */
async function firstUnknown(api: Api, list: FilterCase['list'], like: string): Promise<Answer> {
  const ask = (databaseConnectionId: string) =>
    api.listModels(as(list.admin), list.organizationId, { databaseConnectionId });
  const first = await ask(unknownId(api, like));
  return first.status === 404 ? first : ask(unknownId(api, like, 'another'));
}

/** The ID of a data source of the list without its last character, where that is no other ID: a filter may compare too little of it. */
function beginningIn(cases: readonly FilterCase[], list: FilterCase['list']): string | undefined {
  const used = cases.filter((one) => one.list === list && one.models.length > 0);
  const all = cases.map(({ sourceId }) => sourceId);
  for (const { sourceId } of used) {
    const beginning = beginningOf(sourceId, all, 'some');
    if (beginning !== undefined) return beginning;
  }
  return undefined;
}

/** Those that no earlier run can have deleted first, then by the number of models. */
function byNeed(cases: readonly FilterCase[]): readonly FilterCase[] {
  return cases.toSorted(
    (one, other) => Number(one.disposable) - Number(other.disposable) || other.models.length - one.models.length,
  );
}

/** Data sources whose filters are walked because of what their IDs look like. */
const mostDelicate = 6;

/** The data source with the most models, if a filter that does nothing would show there. */
function fullestIn(sorted: readonly FilterCase[]): FilterCase | undefined {
  const mixed = sorted.find(({ list, models }) => models.length >= 2 && list.walk.items.length > models.length);
  return mixed ?? sorted[0];
}

/** The data source with the most models, one of another organization, one with one model, and one with none. */
function chosen(cases: readonly FilterCase[]): readonly FilterCase[] {
  const sorted = byNeed(cases);
  const fullest = fullestIn(sorted);
  const elsewhere = sorted.find(({ list, models }) => list !== fullest?.list && models.length > 0);
  const single = sorted.find(({ models }) => models.length === 1);
  const empty = sorted.find(({ list, models }) => models.length === 0 && list.walk.items.length > 0);
  return [...new Set([fullest, elsewhere, single, empty])].filter((one) => one !== undefined);
}

/** Data sources with models of the same organization whose IDs are unusual. */
function easilyConfused(cases: readonly FilterCase[]): readonly FilterCase[] {
  const sorted = byNeed(cases);
  const fullest = fullestIn(sorted);
  const used = sorted.filter(({ list, models }) => list === fullest?.list && models.length > 0);
  const ids = used.map(({ sourceId }) => sourceId);
  const delicate = new Set(delicateIds(ids, mostDelicate));
  return used.filter(({ sourceId }) => delicate.has(sourceId));
}

/**
 * All filters of the organization with the most models over several data sources, as far as {@link maxFilters} reach; what
 * they leave goes to the fullest filters of the organizations that have too many.
 */
export function givenPartition(cases: readonly FilterCase[]): readonly FilterCase[] {
  const groups = [...Map.groupBy(cases, ({ list }) => list.organizationId).values()];
  const used = (group: readonly FilterCase[]): number => group.filter(({ models }) => models.length > 0).length;
  const models = (group: readonly FilterCase[]): number => group.reduce((sum, one) => sum + one.models.length, 0);
  const whole = groups.filter((group) => group.length >= 2 && models(group) >= 2);
  const [best] = whole.toSorted(
    (one, other) =>
      Number(one.length > maxFilters) - Number(other.length > maxFilters) ||
      Number(used(other) > 1) - Number(used(one) > 1) ||
      models(other) - models(one),
  );
  if (best === undefined) throw new Blocked('needs an organization with 2 data sources and 2 models');
  const others = groups.filter((group) => group !== best && group.length > maxFilters);
  const left = others.flatMap((group) => group.filter(({ models: some }) => some.length > 0));
  return [...fullestFirst(best), ...fullestFirst(left)].slice(0, maxFilters);
}

function fullestFirst(cases: readonly FilterCase[]): readonly FilterCase[] {
  return cases.toSorted((one, other) => other.models.length - one.models.length);
}
