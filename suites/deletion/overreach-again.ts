import { isSuccess, summary } from '../../core/exchange.ts';
import { type Api, as } from '../../engine/api.ts';
import { shared } from '../../engine/fixture.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenAcceptedDeletion } from '../../stage/deletion/deletion.ts';
import { isTaken, takeSpareDisposables } from '../../stage/deletion/disposables.ts';
import type { Disposable } from '../../stage/deletion/still-listed.ts';
import type { Item } from '../../core/page.ts';
import { comparable, lossBetween, type Snapshot, takeSnapshot, unlessBlocked } from '../../stage/lists/snapshot.ts';
import type { Walk } from '../../stage/lists/walk.ts';
import { givenCalmOtherwise } from './lost-once.ts';

/** A cleanup job that removes too much has finished after this time, in milliseconds. */
export const overreachMs = 10_000;

/** The lists around the deletion of data sources of one organization. */
type Around = { readonly before: Snapshot; readonly after: Snapshot; readonly spares: readonly Disposable[] };

/** Further deletions, because what one of them could take along may be gone already. For models, the first is enough. */
const givenOthers = [
  shared((api) => deleteAnother(api)),
  shared((api) => deleteAnother(api, { isAmongOthers: true })),
] as const;

/**
 * The lists around another deletion, and when its cleanup job has done all that it does. Where it `isAmongOthers`, its neighbours are still
 * there, so that they can be lost, and a second one follows at once if there is one to spare.
 */
async function deleteAnother(api: Api, { isAmongOthers = false } = {}): Promise<Around> {
  const { disposable, before: first } = await givenAcceptedDeletion(api);
  const { organizationId } = disposable;
  const isNear = (one: Disposable): boolean => one.organizationId === organizationId;
  const items = first.sources.get(organizationId)?.items ?? [];
  const hasNeighbours = ({ id }: Disposable): boolean => {
    const place = items.findIndex((item) => item.id === id);
    return [items[place - 1], items[place + 1]].every(
      (one) => one !== undefined && !isTaken(api, organizationId, one.id),
    );
  };
  const take = (wanted: (one: Disposable) => boolean, most = 1) =>
    unlessBlocked(() => takeSpareDisposables(api, most, wanted));
  const spares =
    (isAmongOthers ? await take((one) => isNear(one) && hasNeighbours(one), 2) : undefined) ??
    (await take(isNear)) ??
    (await take(() => true));
  if (spares === undefined)
    throw new Blocked(
      'items were lost since the deletion, and no data source can be spared to see whether another deletion loses some too: declare more under organizations.<id>.disposableDataSources',
    );
  const before = await takeSnapshot(api);
  const remove = ({ admin, organizationId: home, id }: Disposable) => api.deleteDataSource(as(admin), home, id);
  for (const spare of spares) {
    const deleted = await remove(spare);
    if (!isSuccess(deleted)) throw new Blocked(`another deletion, of ${spare.id}, was refused: ${summary(deleted)}`);
  }
  // The recorded deletion was repeated too, which may be what deletes another one.
  await remove(spares[0]);
  await api.session.clock.sleep(overreachMs);
  return { before, after: await takeSnapshot(api), spares };
}

/** If so many items share a creation time, another client may have deleted one of them by chance. */
const manyTwins = 4;

/** Whether it shares the creation time of one of the `deleted` ones with few others: another client would hardly delete just this one. */
function isTwin({ createdAt }: Item, deleted: readonly Item[], { items }: Walk): boolean {
  if (createdAt === undefined || deleted.every((one) => one.createdAt !== createdAt)) return false;
  return items.filter((one) => one.createdAt === createdAt).length < manyTwins;
}

/**
 * If a list lost at least so many items and has no other, another client hardly deleted each of them; nor so many models, this share
 * of all, of several data sources that are still there.
 */
const manyItems = 10;
const broadShare = 1 / 4;
const severalSources = 3;

/** A list of an organization before a deletion and after it. */
type Compared = {
  readonly organizationId: string;
  readonly earlier: Walk;
  readonly later: Walk;
  /** Whether the deletion may have removed the item. */
  readonly isLeftOut: (item: Item) => boolean;
  /** Whether another client may have removed it together with others, or had much time to do so. */
  readonly mayBeOthers: (item: Item) => boolean;
  /** The data source of a model that no run deletes and that is listed as before; undefined for all others. */
  readonly keptSourceOf?: (item: Item) => string | undefined;
  /** Recognizes the models that the deletions of this run so far may have removed. */
  readonly removedIn?: (organizationId: string, before: Walk) => (item: Item) => boolean;
};

/**
 * Blocked if items are missing, but not many together, and another deletion loses nothing: then another client may have deleted them,
 * unless one is a model of a data source that is still there and nothing else changed. Each organization has items that are left out,
 * because a deletion may remove them.
 */
export async function givenLossRecurs(
  api: Api,
  list: keyof Snapshot,
  { organizationId, earlier, later: now, isLeftOut, mayBeOthers, keptSourceOf = () => undefined, removedIn }: Compared,
  leftOutIn: (organizationId: string, before: Walk) => (item: Item) => boolean,
): Promise<void> {
  const there = new Set(now.items.map(({ id }) => id));
  const gone = comparable(earlier, now).filter(({ id }) => !there.has(id));
  const lost = gone.filter((item) => !isLeftOut(item));
  // No deletion changes an order.
  if (lost.length === 0) return;
  if (lost.length >= manyItems && now.items.every(isLeftOut) && !lost.some(mayBeOthers)) return;
  const kept = lost.flatMap((item) => keptSourceOf(item) ?? []);
  const most = earlier.items.filter((item) => !isLeftOut(item) && keptSourceOf(item) !== undefined).length;
  const isBroad = kept.length >= Math.max(manyItems, broadShare * most);
  if (isBroad && new Set(kept).size >= severalSources) return;
  if (list === 'sources' && lost.every((item) => isTwin(item, gone.filter(isLeftOut), earlier))) return;
  const distances = list === 'models' ? [] : distancesOf(lost, gone.filter(isLeftOut), earlier);
  const [givenSecond, givenThird] = givenOthers;
  const recurs = (around: Around): boolean =>
    [...around.before[list]].some(([id, walk]) => {
      const later = around.after[list].get(id);
      return later !== undefined && lossBetween(walk, later, leftOutIn(id, walk)) !== undefined;
    }) ||
    isLostBeside(around, distances) ||
    (lost.some(({ id }) => id === earlier.items.findLast((item) => !isLeftOut(item))?.id) &&
      isEndLost(around, organizationId, removedIn));
  if (recurs(await givenSecond(api))) return;
  const third = list === 'models' ? undefined : await unlessBlocked(() => givenThird(api));
  if (third !== undefined && recurs(third)) return;
  const reason =
    'items were lost since the deletion, and none with other deletions: other traffic may have deleted them; run the suite against data that nothing else changes';
  if (kept.length === 0) throw new Blocked(reason);
  const around = { organizationId, earlier, later: now };
  await givenCalmOtherwise(api, around, (walk) => leftOutIn(organizationId, walk), reason);
}

/**
 * Whether the other deletion also loses the last model of that organization, but for those that deletions of this run may have removed:
 * another client would hardly delete just this one again.
 */
function isEndLost(
  { before, after, spares: [spare] }: Around,
  organizationId: string,
  removedIn: Compared['removedIn'],
): boolean {
  const [walk, later] = [before.models, after.models].map((lists) => lists.get(organizationId));
  if (walk === undefined || later === undefined || removedIn === undefined) return false;
  const isRemoved = removedIn(organizationId, walk);
  const last = walk.items.findLast((item) => !isRemoved(item));
  if (spare?.organizationId !== organizationId || last === undefined) return false;
  return lossBetween(walk, later, ({ id }) => id !== last.id) !== undefined;
}

/** How many places behind a deleted item each lost one was in the list; negative before it. */
function distancesOf(lost: readonly Item[], deleted: readonly Item[], { items }: Walk): readonly number[] {
  const placeOf = ({ id }: Item): number => items.findIndex((item) => item.id === id);
  return lost.flatMap((one) => deleted.map((other) => placeOf(one) - placeOf(other)));
}

/**
 * Whether the other deletion also loses a data source at one of these distances, even one that a run may delete: another client would
 * hardly delete just this one again.
 */
function isLostBeside({ before, after, spares }: Around, distances: readonly number[]): boolean {
  return spares.some(({ organizationId, id: deletedId }) => {
    const [walk, later] = [before.sources, after.sources].map((lists) => lists.get(organizationId));
    if (walk === undefined || later === undefined) return false;
    const place = walk.items.findIndex(({ id }) => id === deletedId);
    return (
      place >= 0 &&
      distances.some((distance) => {
        const beside = walk.items[place + distance];
        return (
          beside !== undefined &&
          spares.every(({ id }) => id !== beside.id) &&
          lossBetween(walk, later, ({ id }) => id !== beside.id) !== undefined
        );
      })
    );
  });
}
