import { as } from '../../engine/api.ts';
import { rememberUnshown, untilShown } from '../../stage/deletion/list-lag.ts';
import { fateOf } from '../../stage/deletion/deletion.ts';
import { type Disposable, isListed } from '../../stage/deletion/still-listed.ts';
import { type Answer, isSuccess, summary } from '../../core/exchange.ts';
import type { ListFixture } from '../../stage/lists/lists.ts';
import { requestPage } from '../../stage/lists/pages.ts';
import { givenWalk } from '../../stage/lists/walk.ts';
import { type ListOperation, listOperations, type Page, readPage } from '../../core/page.ts';
import { type Listed, pageProblem, type PageProblem } from '../../engine/history/page-problem.ts';
import type { Query } from '../../core/paths.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { givenStillList } from '../../stage/lists/stillness.ts';
import { filteredModels } from '../../promises/models.ts';
import { recordsIn } from '../../promises/records.ts';
import { describe } from '../../core/text.ts';
import { isGone, isGoneAsCursor } from '../lists/is-gone.ts';
import type { Command } from './sequence-commands.ts';
import { broken, kept, nothingShown, type SequencePromise, type Shown } from './sequence-promises.ts';
import type { World } from './sequence-world.ts';

/** The longest time that a sequence takes, in milliseconds. */
const sequenceMs = 60_000;
/** The pause before a suspicious list is read again, in milliseconds. */
const recheckMs = 1000;

type Look = {
  readonly answer: Answer;
  readonly page: Page | undefined;
  readonly problem: PageProblem | undefined;
  readonly begin: number;
};

/** A page of a list, held against the list as it was read at the beginning. */
export async function listInSequence(world: World, command: Command & { do: 'list' }): Promise<Shown> {
  const { list, behind, limit, by } = command;
  const cursor = behind === null ? undefined : cursorOf(world, list, behind);
  const query = { limit, ...(cursor === undefined ? {} : { cursor }) };
  const look = (): Promise<Look> => lookAt(world, { list, by, query, expected: world.lists[list].items, cursor });
  const seen = await look();
  const deleted = list === 'listDataSources' ? await mustStayDeleted(world, seen, look) : nothingShown;
  if (deleted.broken !== undefined) return deleted;
  const where = cursor === undefined ? 'at the beginning of the list' : `behind ${describe(cursor)}`;
  const named = cursor === undefined ? undefined : ([list, cursor] as const);
  const held = { list, seen, look, named, where: `${where} of ${list}, limit ${limit}` };
  if (cursor !== undefined)
    return both(deleted, await mustFit(world, { ...held, promise: `paging.any-id-is-cursor/${list}` }));
  if (world.deleted.length === 0) return deleted;
  return both(deleted, await mustFit(world, { ...held, promise: 'delete.others-untouched' }));
}

/** An item that stays: any of them, or the last before what was deleted last. Undefined where that is the beginning. */
function cursorOf({ lists, deleted }: World, list: ListOperation, number: number): string | undefined {
  const all = lists[list].items;
  const last = deleted.at(-1);
  if (list === 'listDataSources' && last !== undefined && number % 2 === 0) {
    const place = all.findIndex(({ id }) => id === last.disposable.id);
    return all.slice(0, Math.max(0, place)).findLast(({ mayLack }) => !mayLack)?.id;
  }
  const stays = all.filter(({ mayLack }) => !mayLack);
  return stays[number % Math.max(1, stays.length)]?.id;
}

/** The models of a remaining data source, and of no other. */
export async function filterInSequence(world: World, command: Command & { do: 'filter' }): Promise<Shown> {
  const { source, limit, by } = command;
  const [id, models = []] = [...world.modelsOf][source % Math.max(1, world.modelsOf.size)] ?? [];
  if (id === undefined) return nothingShown;
  const promise = 'models.filter';
  const query = { limit, databaseConnectionId: id };
  const place = { list: 'listModels', by, query, cursor: undefined } as const;
  const first = await lookAt(world, { ...place, expected: models });
  // A filtered list may order models of the same instant in another way than the whole list.
  const expected = first.problem === undefined ? models : await asFiltered(world, id, models);
  const seen = { ...first, problem: problemOf(first.page, expected, undefined) };
  const look = (): Promise<Look> => lookAt(world, { ...place, expected });
  const where = `in the models of ${describe(id)}, limit ${limit}`;
  for (const model of recordsIn(seen.answer)) {
    const judgement = filteredModels.judge(model);
    if (judgement === undefined || judgement === 'kept') continue;
    return broken(promise, `${judgement.expected}, ${where}`, judgement.actual, seen.answer);
  }
  const named = ['listDataSources', id] as const;
  return mustFit(world, { list: 'listModels', seen, look, named, sourceId: id, promise, where });
}

/** The models in the order of the whole filtered list. Those that it leaves out come last. */
async function asFiltered(world: World, sourceId: string, models: readonly Listed[]): Promise<readonly Listed[]> {
  const { organizationId, admin } = fixtureOf(world, 'listModels');
  const query = { limit: 100, databaseConnectionId: sourceId };
  const walk = await unlessBlocked(() => givenWalk(world.api, 'listModels', as(admin), organizationId, query));
  const places = new Map(walk?.items.map(({ id }, index) => [id, index]));
  const placeOf = ({ id }: Listed): number => places.get(id) ?? places.size;
  return models.toSorted((one, other) => placeOf(one) - placeOf(other));
}

type Place = {
  readonly list: ListOperation;
  /** The admin who sends the request. */
  readonly by: number;
  readonly query: Query;
  readonly expected: readonly Listed[];
  readonly cursor: string | undefined;
};

async function lookAt({ api, lists }: World, place: Place): Promise<Look> {
  const { list, by, query, expected, cursor } = place;
  const { organizationId, admins } = lists[list];
  const admin = admins[by % admins.length] ?? admins[0];
  const answer = await requestPage(api, list, as(admin), organizationId, query);
  const page = readPage(answer);
  const problem = problemOf(page, expected, cursor);
  return { answer, page, problem, begin: cursor === undefined ? 0 : expected.findIndex(({ id }) => id === cursor) + 1 };
}

function problemOf(page: Page | undefined, expected: readonly Listed[], cursor: string | undefined) {
  const ids = page?.items.map(({ id }) => id) ?? [];
  return page === undefined ? undefined : pageProblem(expected, cursor, ids, page.hasMore);
}

type Held = {
  readonly list: ListOperation;
  readonly seen: Look;
  readonly look: () => Promise<Look>;
  /** The list and ID of the item that the request names, which another client may have deleted. */
  readonly named: readonly [ListOperation, string] | undefined;
  /** The filter: a model may be moved to another data source. */
  readonly sourceId?: string;
  readonly promise: SequencePromise;
  readonly where: string;
};

/** An unexpected page is requested once more: another client may be changing the list, or the network may have failed. */
async function mustFit(world: World, { list, seen, look, named, sourceId, promise, where }: Held): Promise<Shown> {
  if (seen.page !== undefined && seen.problem === undefined) return kept(promise);
  await world.api.session.clock.sleep(recheckMs);
  const again = await look();
  if (seen.page === undefined) {
    if (again.page !== undefined || isSuccess(again.answer)) return nothingShown;
    if (named !== undefined && (await isNamedGone(world, list, named))) return nothingShown;
    return broken(promise, `a page ${where}, as before`, summary(again.answer), seen.answer, again.answer);
  }
  if (again.problem?.kind !== seen.problem?.kind || again.problem === undefined) return nothingShown;
  const { kind, id } = again.problem;
  const evidence = [seen.answer, again.answer];
  switch (kind) {
    case 'missing':
      if (promise !== 'delete.others-untouched' && (await isGone(world.api, fixtureOf(world, list), id, sourceId)))
        return nothingShown;
      if (promise === 'delete.others-untouched' && !(await isLost(world, id))) return nothingShown;
      return broken(promise, `${describe(id)} ${where}, as before`, 'it is left out', ...evidence);
    case 'before':
      return broken(promise, `nothing but what follows ${where}`, describe(id), ...evidence);
    case 'order':
      return broken(promise, `the order of before ${where}`, `${describe(id)} at another place`, ...evidence);
  }
}

/** Whether what the request names is gone: the item whose ID is its cursor, or the data source of its filter. */
function isNamedGone(
  world: World,
  list: ListOperation,
  [named, id]: readonly [ListOperation, string],
): Promise<boolean> {
  const ask = named === list ? isGoneAsCursor : isGone;
  return ask(world.api, fixtureOf(world, named), id);
}

function fixtureOf({ lists }: World, list: ListOperation): Omit<ListFixture, 'walk'> {
  const {
    organizationId,
    admins: [admin],
  } = lists[list];
  return { list, organizationId, admin };
}

/**
 * Blocked if another client deletes as well: within the minute that a sequence takes, and so within another one. A client that
 * deletes data sources may have reached those without models by then, so both lists are observed.
 */
async function givenStill(world: World): Promise<void> {
  const watched = listOperations.map((list) => {
    const { admin, organizationId } = fixtureOf(world, list);
    return givenStillList(world.api, list, admin, organizationId, sequenceMs);
  });
  await Promise.all(watched);
}

/**
 * Whether the item is left out although it is still listed, or items were lost before and now after another deletion. What is gone
 * for the first time, another client may have deleted: then it and its models may be lacking from now on.
 */
async function isLost(world: World, id: string): Promise<boolean> {
  await givenStill(world);
  if (world.lossAfter !== undefined && world.lossAfter < world.deleted.length) return true;
  const gone = new Set<string>();
  for (const list of ['listDataSources', 'listModels'] as const) {
    const { admin, organizationId } = fixtureOf(world, list);
    const { items } = await givenWalk(world.api, list, as(admin), organizationId, { limit: 100 });
    const place = world.lists[list];
    for (const one of place.items) if (!isListed(items, (item) => item.id === one.id)) gone.add(one.id);
    place.items = place.items.map((item) => {
      return gone.has(item.id) || gone.has(item.sourceId) ? { ...item, mayLack: true } : item;
    });
  }
  world.lossAfter = world.deleted.length;
  return !gone.has(id);
}

/** A page with the place of a deleted item must not show it as before, once the list had time to follow. */
async function mustStayDeleted({ api, deleted, lists }: World, seen: Look, look: () => Promise<Look>): Promise<Shown> {
  const past = deleted.filter(({ disposable }) => isAtPlace(seen, lists.listDataSources.items, disposable.id));
  if (past.length === 0) return nothingShown;
  const isBack = ({ page }: Look, one: Disposable): boolean =>
    page?.items.some(({ id }) => id === one.id) === true && fateOf(page.items, one) === 'as before';
  const back = past.find(({ disposable }) => isBack(seen, disposable));
  if (back === undefined) return kept('delete.gone-or-marked');
  const { disposable, answer } = back;
  await untilShown(api, answer, recheckMs);
  const again = await look();
  // A lagging list must show it by now.
  if (!isBack(again, disposable)) return again.page === undefined ? nothingShown : kept('delete.gone-or-marked');
  rememberUnshown(api);
  const expected = `${describe(disposable.id)} gone from the list or marked as deleted from its deletion on`;
  return broken('delete.gone-or-marked', expected, 'still listed as before', answer, seen.answer, again.answer);
}

/** Whether the page shows the place where the item was, or the item itself. */
function isAtPlace({ page, begin }: Look, all: readonly Listed[], id: string): boolean {
  if (page === undefined) return false;
  if (page.items.some((item) => item.id === id)) return true;
  const placeOf = (one: string): number => all.findIndex((item) => item.id === one);
  const place = placeOf(id);
  return place >= begin && (!page.hasMore || page.items.some((item) => placeOf(item.id) > place));
}

function both(one: Shown, other: Shown): Shown {
  return { kept: [...one.kept, ...other.kept], broken: one.broken ?? other.broken };
}
