import { type Api, as } from '../../engine/api.ts';
import { givenLists } from '../lists/lists.ts';
import { givenWalk, type Walk } from '../lists/walk.ts';
import { looksDeleted } from '../../engine/history/deletion-mark.ts';
import { type Disposable, nameOf, stillListed } from './still-listed.ts';
import { usedUp } from '../../engine/session/used-up.ts';
import { sourcesWithModels } from '../lists/sources-with-models.ts';
import { oldestIn, oldestLast } from './oldest.ts';
import { rankIn } from './risks.ts';
import { twinsIn } from './twins.ts';
import { comparisonIn, highest, highestInTurn } from './unlike.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import type { Session } from '../../engine/session/session.ts';
import { Blocked } from '../../engine/verdict.ts';
import { whyNoneLeft } from './why-none-left.ts';
import { type Wish, wished, wishesIn } from './wishes.ts';

/** The most data sources that checks watch to the end of a run. */
const watchedMost = 2;

/** The data sources that this run took, by organization and ID. */
const takenIn = perRun(() => new Set<string>());
/** Those that checks watch to the end of the run: they are taken only if there is no other. */
const watchedIn = perRun(() => new Set<string>());
/** Those that this run asks to delete only in requests that must be refused. */
const refusedIn = perRun(() => new Set<string>());
/** Those that a request changed although it had to be refused. */
const discardedIn = perRun(() => new Set<string>());
/** Those that something else than this run deleted, or that this run deleted itself. */
const goneIn = perRun(() => new Set<string>());
/** One that only other traffic can have deleted. */
const deletedByOthersIn = perRun((): { one: Pick<Disposable, 'organizationId' | 'id'> | undefined } => ({
  one: undefined,
}));

/**
 * A data source that stays as it is, for a check whose request must be refused or have no effect. It is still listed. Blocked
 * if there is none. All such checks of a run get the same one.
 */
export async function givenDisposable(api: Api): Promise<Disposable> {
  const found = await firstListed(api, async () => (await toWatch(api))[0]);
  if (found === undefined) throw new Blocked(await whyNone(api));
  return found;
}

/** Another one like that, for a check that reads it again much later; undefined if there is only one. */
export function secondDisposable(api: Api): Promise<Disposable | undefined> {
  return firstListed(api, async () => (await toWatch(api))[1]);
}

/**
 * The last one that this run may still delete in another organization, without a twin if there is such a one; undefined if there is
 * none. Nothing keeps it from being deleted later, so it is for requests that must be refused, and not for a check that reads it
 * again much later.
 */
export async function disposableElsewhere(api: Api, organizationId: string): Promise<Disposable | undefined> {
  const hasTwin = await twinsIn(api);
  const found = await firstListed(api, async () => {
    const elsewhere = (await untaken(api)).filter((one) => one.organizationId !== organizationId);
    return elsewhere.findLast((one) => !hasTwin(one)) ?? elsewhere.at(-1);
  });
  if (found !== undefined) refusedIn(api.session).add(nameOf(found));
  return found;
}

/**
 * Two data sources to watch, or fewer if there are not enough: those already watched, the last of the others with models, which may
 * be lost too, and the last of the rest. The oldest of a list comes after those. Until one is taken, the one of which a deletion shows
 * most is left. Of those with models, two are kept for deletions, or one where there are only two.
 */
async function toWatch(api: Api): Promise<readonly Disposable[]> {
  const free = await untaken(api);
  const watched = watchedIn(api.session);
  const hasModels = await sourcesWithModels(api);
  const unwatched = free.filter((one) => !watched.has(nameOf(one)));
  const lists = (await givenLists(api, 'listDataSources')).map(({ walk }) => walk.items);
  const toDelete = hasTaken(api) ? undefined : wished(unwatched, wishesIn(lists, hasModels))[0];
  const others = unwatched.filter((one) => one !== toDelete);
  const before = [...watched].flatMap((name) => free.filter((one) => nameOf(one) === name));
  const inTurn = await oldestLast(api, others.toReversed());
  const withModels = inTurn.filter(hasModels);
  const inOrder = [...before, ...withModels.slice(0, withModels.length > 2 ? 2 : 1), ...inTurn];
  const chosen = [...new Set(inOrder)].slice(0, watchedMost);
  const watchable = chosen.length > 0 ? chosen : free;
  for (const one of watchable) watched.add(nameOf(one));
  return watchable;
}

/** The first of the data sources that `next` gives, one after another, as the list shows it now: others may have deleted some. */
async function firstListed(api: Api, next: () => Promise<Disposable | undefined>): Promise<Disposable | undefined> {
  for (let one = await next(); one !== undefined; one = await next()) {
    const { id, organizationId, admin } = one;
    const { items } = await givenWalk(api, 'listDataSources', as(admin), organizationId, { limit: 100 });
    const item = items.find((listed) => listed.id === id);
    if (item !== undefined) return { ...one, record: item.record };
    goneIn(api.session).add(nameOf(one));
  }
  return undefined;
}

/**
 * From now on no check gets what is gone from the list of the organization as it is now, or marked as deleted there. What an earlier
 * run used up was not listed when this run began, so it shows no other traffic.
 */
export async function leaveOutGone(api: Api, organizationId: string, { items, complete }: Walk): Promise<void> {
  if (!complete) return;
  const { session } = api;
  const records = items.map(({ record }) => record);
  const declared = (await stillListed(api)).filter((one) => one.organizationId === organizationId);
  for (const { id } of declared) {
    const item = items.find((listed) => listed.id === id);
    if (item !== undefined && !looksDeleted(item.record, records)) continue;
    const name = nameOf({ organizationId, id });
    goneIn(session).add(name);
    const mayBeOwn = [takenIn, watchedIn, refusedIn].some((names) => names(session).has(name));
    if (!mayBeOwn && usedUp(session).deletions.length === 0) deletedByOthersIn(session).one ??= { organizationId, id };
  }
}

/** Blocked if only other traffic can have deleted a data source since this run began: then it may have deleted more. */
export function givenNoOthersDelete({ session }: Api): void {
  const { one } = deletedByOthersIn(session);
  if (one === undefined) return;
  throw new Blocked(
    `data source ${one.id} of ${one.organizationId} disappeared before this run deleted any: other traffic deletes; let no two runs overlap`,
  );
}

/**
 * A data source to delete, which no other check gets. A check that only needs some successful deletion should read the
 * recorded one instead, because targets declare few. Blocked if none is left. One that no check watches comes first, and
 * of those that fit the earliest wish that any fits, one unlike those that were taken before.
 */
export async function takeDisposable(api: Api, ...wishes: readonly Wish[]): Promise<Disposable> {
  return take(api, await nextDisposable(api, wishes));
}

/** The same, of those that the list still shows: others may have deleted some since the run began. */
export async function takeListedDisposable(api: Api, ...wishes: readonly Wish[]): Promise<Disposable> {
  for (;;) {
    const next = await nextDisposable(api, wishes);
    const { id, organizationId, admin } = next;
    const list = await givenWalk(api, 'listDataSources', as(admin), organizationId, { limit: 100 });
    if (!list.complete || list.items.some((listed) => listed.id === id)) return take(api, next);
    // What is gone is not taken, because this run might then have deleted it.
    await leaveOutGone(api, organizationId, list);
  }
}

async function nextDisposable(api: Api, wishes: readonly Wish[]): Promise<Disposable> {
  const free = await untaken(api);
  const unwatched = free.filter((one) => !watchedIn(api.session).has(nameOf(one)));
  const choosable = unwatched.length > 0 ? unwatched : free;
  const [{ unlikeness }, before] = [await comparisonIn(api), await takenBefore(api)];
  const chosen = highest(wished(choosable, wishes), (one) => unlikeness(one, before));
  if (chosen === undefined) throw new Blocked(await whyNone(api));
  return chosen;
}

function take({ session }: Api, disposable: Disposable): Disposable {
  takenIn(session).add(nameOf(disposable));
  return disposable;
}

/**
 * Up to `most` data sources of one organization to delete, for a check that needs more than the recorded deletion. An organization
 * where nothing was deleted yet is preferred, if it has that many, and in it those with a risk that none before had, the oldest of
 * the list, and those that are unlike what was taken before; or, if `extent` says so, the first of these and what is listed near it. One
 * data source is always left, and so are those that checks watch. Blocked if none can be spared.
 */
export async function takeSpareDisposables(
  api: Api,
  most: number,
  wanted: Wish = () => true,
  extent: 'apart' | 'nearby' = 'apart',
): Promise<readonly [Disposable, ...Disposable[]]> {
  const spare = await spareDisposables(api);
  const rankOf = await rankIn(api);
  const { distance } = await comparisonIn(api);
  const before = await takenBefore(api);
  const rank = (one: Disposable, chosen: readonly Disposable[]): number => {
    const [start] = chosen;
    if (extent === 'apart') return rankOf(one, [...before, ...chosen]);
    return start === undefined ? rankOf(one, before, 'oldest') : -distance(one, start);
  };
  const inOrder = spare.filter(wanted).toSorted((one, other) => rank(other, []) - rank(one, []));
  const groups = [...Map.groupBy(inOrder, ({ organizationId }) => organizationId).values()];
  const enough = groups.filter((group) => group.length >= most);
  const untouched = enough.find(([one]) => one !== undefined && !deletesIn(api.session, one.organizationId));
  const [first, ...rest] = highestInTurn(untouched ?? enough[0] ?? groups[0] ?? [], most, rank);
  if (first === undefined) {
    const needed = takenIn(api.session).size + watchedMost + 1;
    throw new Blocked(
      `no disposable data source can be spared, as some are deleted and ${watchedMost} must stay: declare ${needed} or more that are still listed under organizations.<id>.disposableDataSources`,
    );
  }
  return [take(api, first), ...rest.map((one) => take(api, one))];
}

/**
 * A data source of the organization to delete that this run did not delete and does not watch: one that it took before and whose
 * deletion was refused, if there is one, or the oldest of the list. Undefined if none is `wanted`.
 */
export async function takeUndeleted(api: Api, organizationId: string, wanted: Wish): Promise<Disposable | undefined> {
  const [watched, taken] = [watchedIn(api.session), takenIn(api.session)];
  const here = (await stillListed(api)).filter(
    (one) =>
      one.organizationId === organizationId &&
      !watched.has(nameOf(one)) &&
      !isSpoilt(api, organizationId, one.id) &&
      wanted(one),
  );
  const next = here.find((one) => taken.has(nameOf(one))) ?? here.find(await oldestIn(api)) ?? here[0];
  return next === undefined ? undefined : take(api, next);
}

/** Those that {@link takeSpareDisposables} can give. */
export async function spareDisposables(api: Api): Promise<readonly Disposable[]> {
  const watched = watchedIn(api.session);
  const free = await untaken(api);
  const unwatched = free.filter((one) => !watched.has(nameOf(one)));
  return unwatched.length < free.length ? unwatched : unwatched.slice(0, -1);
}

/** Whether this run took one to delete it. */
function hasTaken({ session }: Api): boolean {
  return [...takenIn(session)].some((name) => !discardedIn(session).has(name));
}

/** Those that this run took. */
async function takenBefore(api: Api): Promise<readonly Disposable[]> {
  return (await stillListed(api)).filter((one) => takenIn(api.session).has(nameOf(one)));
}

/** Whether this run deleted a data source of the organization. */
function deletesIn(session: Session, organizationId: string): boolean {
  return usedUp(session).deletions.some((one) => one.organizationId === organizationId);
}

/** Withdraws a data source that a request changed although it had to be refused. */
export function discardDisposable(api: Api, disposable: Disposable): void {
  takenIn(api.session).add(nameOf(disposable));
  discardedIn(api.session).add(nameOf(disposable));
}

/**
 * Whether it may be deleted, or is seen to be: a deletion that the rate limit refused leaves it as it was. So does one of a caller
 * without the role, also if a gateway answers it with an error.
 */
export function isSpoilt({ session }: Api, organizationId: string, id: string): boolean {
  const name = nameOf({ organizationId, id });
  if (discardedIn(session).has(name)) return true;
  const isTaken = takenIn(session).has(name);
  return usedUp(session).deletions.some((one) => {
    const isSame = one.organizationId === organizationId && one.dataSourceId === id;
    return isSame && (one.certain || isTaken);
  });
}

/** Whether this run deleted it, or saw it changed by a request that had to be refused. */
export function isTaken({ session }: Api, organizationId: string, id: string): boolean {
  return takenIn(session).has(nameOf({ organizationId, id }));
}

async function untaken(api: Api): Promise<readonly Disposable[]> {
  const [taken, gone] = [takenIn(api.session), goneIn(api.session)];
  return (await stillListed(api)).filter((one) => !taken.has(nameOf(one)) && !gone.has(nameOf(one)));
}

function whyNone(api: Api): Promise<string> {
  const { session } = api;
  return whyNoneLeft(api, (one) => goneIn(session).has(nameOf(one)) && !takenIn(session).has(nameOf(one)));
}
