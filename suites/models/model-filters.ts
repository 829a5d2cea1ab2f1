import { must, mustSucceed } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { eachItemOnce } from '../../promises/lists.ts';
import { filteredModels } from '../../promises/models.ts';
import { recordsIn } from '../../promises/records.ts';
import { mustBeKept, mustKeep } from '../shared/must-keep.ts';
import { looksDeleted } from '../../engine/history/deletion-mark.ts';
import { isListed } from '../../stage/deletion/still-listed.ts';
import { shared } from '../../engine/fixture.ts';
import { stringAt } from '../../core/json.ts';
import { givenLists, type ListFixture } from '../../stage/lists/lists.ts';
import { requestPage } from '../../stage/lists/pages.ts';
import { givenWalk, knownWalk, type Walk } from '../../stage/lists/walk.ts';
import type { Item } from '../../core/page.ts';
import { describe } from '../../core/text.ts';
import { Blocked } from '../../engine/verdict.ts';

/** A data source and its models in the unfiltered list. */
export type FilterCase = {
  readonly list: ListFixture;
  readonly sourceId: string;
  readonly models: readonly Item[];
  /** Whether an earlier run may have deleted it; then the result of its filter is unspecified. */
  readonly disposable: boolean;
};

/** Every data source that is listed and not marked as deleted, of every organization whose models can be read. */
export const givenFilterCases = shared(async (api: Api): Promise<readonly FilterCase[]> => {
  const sources = await givenLists(api, 'listDataSources');
  const lists = await givenLists(api, 'listModels');
  return lists.flatMap((list) => {
    const { items } = sources.find(({ organizationId }) => organizationId === list.organizationId)?.walk ?? {
      items: [],
    };
    const records = items.map(({ record }) => record);
    const organization = api.session.target.organizations.find(({ id }) => id === list.organizationId);
    const models = Map.groupBy(list.walk.items, sourceIdOf);
    return items
      .filter(({ record }) => !looksDeleted(record, records))
      .map(({ id }) => ({
        list,
        sourceId: id,
        models: models.get(id) ?? [],
        disposable: organization?.disposableDataSources.includes(id) ?? false,
      }));
  });
});

/** Blocked unless a filter that does nothing would show: with models of one data source alone, the whole list is the filtered one. */
export function mustTell(cases: readonly FilterCase[]): void {
  if (cases.some(({ list, models }) => models.length >= 2 && list.walk.items.length > models.length)) return;
  throw new Blocked('needs an organization with 2 models of one data source, and models of another');
}

/** Pages that the walk of a filtered list is cut into. A filter may be lost after the second one. */
const pagesOfWalk = 3;

/** The limit that cuts the models of the data source into {@link pagesOfWalk} pages. */
export function smallLimit({ models }: FilterCase): number {
  return Math.max(1, Math.min(100, Math.ceil(models.length / pagesOfWalk)));
}

export function sourceIdOf({ record }: Pick<Item, 'record'>): string | undefined {
  return stringAt(record, 'databaseConnectionId');
}

/**
 * The filtered list, read to its end unless it is much longer than it should be; without a limit, its first page. Where the
 * data source is no longer listed, or marked as deleted, another client has removed it: then the walk is empty and incomplete.
 */
export async function walkFiltered(
  api: Api,
  { list, sourceId, models }: FilterCase,
  limit: number | undefined,
): Promise<Walk> {
  const { organizationId, admin } = list;
  const filter = { databaseConnectionId: sourceId };
  // Pages of 100 have the filter last: the order of parameters means nothing.
  const query = limit === 100 ? { limit, ...filter } : { ...filter, ...(limit === undefined ? {} : { limit }) };
  try {
    return await knownWalk(api, list, query, limit === undefined ? 1 : models.length + 2 * limit);
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
    const answer = await requestPage(api, 'listModels', as(admin), organizationId, query);
    const sources = await givenWalk(api, 'listDataSources', as(admin), organizationId, { limit: 100 });
    if (sources.complete && !isListed(sources.items, ({ id }) => id === sourceId)) {
      return { items: [], pages: [], complete: false };
    }
    mustSucceed(answer, `filtered by ${sourceId}, a data source of ${organizationId}`);
    throw error;
  }
}

/** The models of the data source that the walk leaves out and that are still there when the list is read again. */
export async function missingFrom(
  api: Api,
  { list, sourceId, models }: FilterCase,
  walk: Walk,
): Promise<readonly Item[]> {
  const seen = new Set(walk.items.map(({ id }) => id));
  const missing = models.filter(({ id }) => !seen.has(id));
  if (missing.length === 0 || !walk.complete) return [];
  const again = await givenWalk(api, 'listModels', as(list.admin), list.organizationId, { limit: 100 });
  const there = new Set(again.items.filter((item) => sourceIdOf(item) === sourceId).map(({ id }) => id));
  return missing.filter(({ id }) => there.has(id));
}

/** The models of the walk that the unfiltered list leaves out, when it is read again and when the filter is. */
export async function hiddenFromList(api: Api, filtered: FilterCase, walk: Walk): Promise<readonly Item[]> {
  const { list, models } = filtered;
  const listed = new Set(models.map(({ id }) => id));
  const unlisted = walk.items.filter(({ id }) => !listed.has(id));
  if (unlisted.length === 0 || !list.walk.complete) return [];
  const again = await givenWalk(api, 'listModels', as(list.admin), list.organizationId, { limit: 100 });
  const there = new Set(again.items.map(({ id }) => id));
  const query = { databaseConnectionId: filtered.sourceId, limit: 100 };
  const refiltered = await givenWalk(api, 'listModels', as(list.admin), list.organizationId, query);
  const still = new Set(refiltered.items.map(({ id }) => id));
  return again.complete ? unlisted.filter(({ id }) => !there.has(id) && still.has(id)) : [];
}

/** The filtered list holds exactly the models of the data source, each once. */
export async function mustShowExactly(api: Api, filtered: FilterCase, walk: Walk): Promise<void> {
  const { sourceId, models } = filtered;
  for (const { answer } of walk.pages) {
    for (const model of recordsIn(answer)) mustKeep(filteredModels, model, answer);
  }
  mustBeKept(eachItemOnce.judge(walk.pages), 'under a filter');
  const [missing] = await missingFrom(api, filtered, walk);
  const pages = walk.pages.map(({ answer }) => answer);
  const what = `filtered by ${describe(sourceId)}, all its ${models.length} models`;
  must(missing === undefined, what, `${describe(missing?.id)} missing`, ...pages.slice(-4));
}
