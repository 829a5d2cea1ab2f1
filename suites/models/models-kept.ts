import { must } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import type { Deletion } from '../../stage/deletion/deletion.ts';
import { isDeclared, whyDisposable } from '../../stage/deletion/declared.ts';
import { isTaken } from '../../stage/deletion/disposables.ts';
import { at, stringAt } from '../../core/json.ts';
import { sameJson } from '../../core/same-json.ts';
import type { Principal } from '../../core/target.ts';
import { adminOf } from '../../stage/lists/lists.ts';
import { type Item, listOperations } from '../../core/page.ts';
import { lossBetween, type Snapshot } from '../../stage/lists/snapshot.ts';
import { givenWalk, readAfterMs, type Walk } from '../../stage/lists/walk.ts';
import { givenStillBefore, givenStillList, usualWatchMs } from '../../stage/lists/stillness.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenLossRecurs } from '../deletion/overreach-again.ts';
import { sourceIdOf } from './model-filters.ts';

/**
 * All models from before are still there, except those of data sources that this run deleted, or another one before that. At last, also
 * except those of data sources that another run with the same target file may have deleted: they are declared disposable, and not
 * listed as before.
 */
export async function mustKeepModels(
  api: Api,
  { before, soon, deleted }: Deletion,
  after: Snapshot['models'],
  when: 'soon' | 'at-last',
): Promise<void> {
  const isRemovedFrom = (id: string) => (item: Item) => isTaken(api, id, sourceIdOf(item) ?? '');
  const removed = new Set(
    [...before.models].flatMap(([id, { items }]) =>
      items
        .filter((item) => isRemovedFrom(id)(item) || isLeftOver(api, id, before.sources.get(id), item))
        .map((item) => item.id),
    ),
  );
  const judged = when === 'soon' ? soon.models : before.models;
  if (![...judged.values()].some(({ items }) => items.some(({ id }) => !removed.has(id)))) {
    throw new Blocked('needs a model over another data source than the deleted one');
  }
  for (const [id, walk] of judged) {
    const later = after.get(id);
    if (later === undefined) throw new Blocked(`the models of ${id} could not be read after the deletion`);
    const watchMs = Math.max(usualWatchMs, readAfterMs(later, deleted));
    // What a cleanup job removed before this walk is not in it, but leads to what it removes later.
    const known = [...(before.models.get(id)?.items ?? []), ...walk.items];
    const gone = withDependents(known, removed);
    const isLeftOut = (item: Item): boolean => gone.has(item.id);
    const loss = lossBetween(walk, later, isLeftOut);
    if (loss !== undefined) await givenStillBefore(api, 'listModels', id, walk, isRemovedFrom(id));
    const admin = loss === undefined ? undefined : adminOf(api, id);
    if (when === 'at-last' && admin !== undefined) {
      const isChanged = await changedSince(api, admin, id, before.sources.get(id));
      const isOfOthers = (sourceId: string): boolean => isDeclared(api, id, sourceId) && isChanged(sourceId);
      const ofOthers = known.filter((item) => isOfOthers(sourceIdOf(item) ?? '')).map((item) => item.id);
      const disposable = withDependents(known, new Set([...gone, ...ofOthers]));
      if (lossBetween(walk, later, (item) => disposable.has(item.id)) === undefined)
        throw new Blocked(whyDisposable(id));
    }
    // Another client that deletes data sources may have reached those without models.
    if (admin !== undefined)
      await Promise.all(listOperations.map((list) => givenStillList(api, list, admin, id, watchMs)));
    if (loss !== undefined) {
      // A client that deletes a data source removes all its models.
      const isChanged = admin === undefined ? () => true : await changedSince(api, admin, id, before.sources.get(id));
      const mayBeOthers = (item: Item): boolean => isChanged(sourceIdOf(item) ?? '');
      const keptSourceOf = (item: Item): string | undefined =>
        mayBeOthers(item) || isDeclared(api, id, sourceIdOf(item) ?? '') ? undefined : sourceIdOf(item);
      const removedIn = (where: string, all: Walk) => isRemovedIn(api, where, all, 'soon');
      const compared = { organizationId: id, earlier: walk, later, isLeftOut, mayBeOthers, keptSourceOf, removedIn };
      await givenLossRecurs(api, 'models', compared, (where, all) => isRemovedIn(api, where, all, when));
    }
    const expected = `the models of other data sources in ${id} unchanged`;
    must(loss === undefined, expected, loss ?? '', deleted, ...later.pages.slice(0, 4).map(({ answer }) => answer));
  }
}

/** Recognizes the models that the deletions of disposable data sources may remove. */
function isRemovedIn(
  api: Api,
  organizationId: string,
  { items }: Walk,
  when: 'soon' | 'at-last',
): (item: Item) => boolean {
  const isOver = (item: Item): boolean => {
    const sourceId = sourceIdOf(item) ?? '';
    return isTaken(api, organizationId, sourceId) || (when === 'at-last' && isDeclared(api, organizationId, sourceId));
  };
  const gone = withDependents(items, new Set(items.filter(isOver).map(({ id }) => id)));
  return (item) => gone.has(item.id);
}

/** Whether another run deleted its data source before: a cleanup job removes the model later. */
function isLeftOver(api: Api, organizationId: string, sources: Walk | undefined, item: Item): boolean {
  const sourceId = sourceIdOf(item) ?? '';
  if (!isDeclared(api, organizationId, sourceId)) return false;
  return sources?.complete === true && sources.items.every(({ id }) => id !== sourceId);
}

/** Recognizes data sources of the organization that are not listed as they were: something may have deleted them. */
async function changedSince(
  api: Api,
  admin: Principal,
  organizationId: string,
  before: Walk | undefined,
): Promise<(sourceId: string) => boolean> {
  const now = await givenWalk(api, 'listDataSources', as(admin), organizationId, { limit: 100 });
  const recordIn = (walk: Walk | undefined, sourceId: string) => walk?.items.find(({ id }) => id === sourceId)?.record;
  return (sourceId) => {
    const record = recordIn(now, sourceId);
    return record === undefined || !sameJson(record, recordIn(before, sourceId));
  };
}

/** Those models, and all that reach one of them over relationships: a cleanup job may delete models that depend on a deleted one. */
function withDependents(items: readonly Item[], removed: ReadonlySet<string>): ReadonlySet<string> {
  const dependents = Map.groupBy(
    items.flatMap(({ id, record }) => targetsOf(record).map((target) => ({ id, target }))),
    ({ target }) => target,
  );
  const gone = new Set(removed);
  // A set also visits what is added meanwhile.
  for (const id of gone) for (const dependent of dependents.get(id) ?? []) gone.add(dependent.id);
  return gone;
}

/** The models to which a model has a relationship. */
function targetsOf(record: Item['record']): readonly string[] {
  const relationships = at(record, 'relationships');
  if (!Array.isArray(relationships)) return [];
  return relationships.flatMap((relationship) => stringAt(relationship, 'targetModelId') ?? []);
}
