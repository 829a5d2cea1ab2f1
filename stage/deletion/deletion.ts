import { heardMs, listLagMs } from '../../promises/deletion.ts';
import { type Api, as, type Options } from '../../engine/api.ts';
import { type Answer, isDoubtful, isSuccess, summary } from '../../core/exchange.ts';
import { at } from '../../core/json.ts';
import { sameJson } from '../../core/same-json.ts';
import { marksOf } from '../../engine/history/deletion-mark.ts';
import { leaveOutGone, takeDisposable, takeSpareDisposables } from './disposables.ts';
import { declaring } from './declared.ts';
import { rememberUnshown, untilShown } from './list-lag.ts';
import { listsToReadSoon } from './lists-to-read-soon.ts';
import type { Disposable } from './still-listed.ts';
import { type Around, issueCursor, pageAfter, pagesAround, tryCursor } from './pages-around.ts';
import { shared } from '../../engine/fixture.ts';
import type { Principal } from '../../core/target.ts';
import { isGateways } from '../../core/gateway-answer.ts';
import { adminsOf } from '../lists/lists.ts';
import { givenWalk, type Walk } from '../lists/walk.ts';
import type { Item, Page } from '../../core/page.ts';
import { modelsOf, modelsOver, modelsUntilGone, nothingLeft } from './models-left.ts';
import { sourcesWithModels } from '../lists/sources-with-models.ts';
import { readLists, type Snapshot, takeSnapshot, unlessBlocked } from '../lists/snapshot.ts';
import { wishesIn } from './wishes.ts';
import { Blocked } from '../../engine/verdict.ts';
import { unknownIds } from '../lists/unknown-id.ts';

/** One deletion from before to after, recorded once in a run for every check that judges it. */
export type Deletion = Around & {
  readonly disposable: Disposable;
  readonly before: Snapshot;
  /** The cursor that a page which ended behind the data source gave before the deletion, and the page of one item after it. */
  readonly issued: string | undefined;
  readonly behindIt: Page | undefined;
  /** Who sent the deletion: another admin than the one who reads the lists, if there is one. */
  readonly deleter: Principal;
  readonly deleted: Answer;
  /** The refused deletion of that other admin, if the one who reads the lists deleted it in the end. */
  readonly refused: Attempt | undefined;
  /** The list of its organization, read again until the data source was gone or marked, for {@link listLagMs}. */
  readonly after: Walk;
  /** The same list, read when every replica must show the deletion; equal to `after` if that already showed it. */
  readonly latest: Walk;
  /** The page after the deleted data source, with its ID as the cursor. */
  readonly afterCursor: Answer;
  /** The models that a filter by the data source finds, once the cleanup had time. */
  readonly afterFilter: Answer;
  /** The models of the data source before the deletion, and those left after {@link cleanupMs}. */
  readonly models: readonly Item[];
  readonly modelsLeft: readonly Item[];
  /** The last answer that showed the remaining models, or none. */
  readonly modelsSeen: Answer | undefined;
  readonly unknown: readonly { readonly id: string; readonly answer: Answer }[];
  readonly second: Answer;
  /** Those lists from before that are read again right after it. */
  readonly soon: Snapshot;
  /** The same lists after everything, including the second deletion and the deletions of unknown IDs. */
  readonly atLast: Snapshot;
};

type Attempt = { readonly deleter: Principal; readonly deleted: Answer };

/** The recorded deletion. Blocked if nothing may be deleted, or no data source is left. */
export const givenDeletion = shared(async (api: Api): Promise<Deletion> => {
  const first = await tryDeletion(api);
  const { disposable, before, issued, deleter, deleted, refused } = isDoubtful(first.deleted)
    ? await tryOneOnce(api)
    : await unlessDeletedBefore(api, first);
  const { organizationId, id, admin } = disposable;
  const models = modelsOver(id, before.models.get(organizationId));
  const after = await listUntilGone(api, disposable);
  // The pages around its place would issue the cursor again.
  const behindIt = issued === undefined ? undefined : await pageAfter(api, disposable, issued);
  const afterCursor = await tryCursor(api, disposable, before);
  const { left, seen } = isSuccess(deleted) ? await modelsUntilGone(api, disposable, models) : nothingLeft;
  const unknown = [];
  for (const other of unknownIds(api, id)) {
    unknown.push({ id: other, answer: await api.deleteDataSource(as(admin), organizationId, other) });
  }
  // The second deletion would hide that the first one had no effect.
  const isListed = isSuccess(deleted) && fateOf(after.items, disposable) === 'as before';
  if (isListed) await untilShown(api, deleted);
  const latest = isListed ? await listUntilGone(api, disposable) : after;
  if (isListed && fateOf(latest.items, disposable) === 'as before') rememberUnshown(api);
  const second = await api.deleteDataSource(as(admin), organizationId, id);
  // A filter may restore what is deleted, and another deletion would hide that.
  const afterFilter = await api.listModels(as(admin), organizationId, modelsOf(id));
  const soon = listsToReadSoon(api, before);
  const atLast = {
    sources: await readLists(api, 'listDataSources', [...soon.sources.keys()]),
    models: await readLists(api, 'listModels', [...soon.models.keys()]),
  };
  const around = await pagesAround(api, disposable, before, atLast);
  const modelsRead = { models, modelsLeft: left, modelsSeen: seen };
  return {
    disposable,
    before,
    issued,
    behindIt,
    deleter,
    deleted,
    refused,
    after,
    latest,
    afterCursor,
    afterFilter,
    ...modelsRead,
    unknown,
    second,
    soon,
    atLast,
    ...around,
  };
});

type Tried = Pick<Deletion, 'disposable' | 'before' | 'issued' | 'deleter' | 'deleted' | 'refused'>;

/**
 * Another deletion, sent once, after one that a gateway or an error answered and that may still have been carried out. Now
 * an error of the deployment itself counts, because it is no longer an accident.
 */
async function tryOneOnce(api: Api): Promise<Tried> {
  await api.session.clock.sleep(heardMs);
  const tried = await tryDeletion(api, { gate: async () => {} });
  if (!isGateways(tried.deleted)) return tried;
  throw new Blocked(
    `a gateway answered the deletion of ${tried.disposable.id}, which may have been carried out: run again`,
  );
}

/** The answers that a deleted data source may get when it is deleted again. */
const againStatuses: readonly number[] = [404, 409, 410];

/** How many others are deleted at most in search of one that an earlier run did not delete. */
const mostOthers = 3;

/**
 * Another deletion in place of one that was refused because something else had deleted the data source: another client a moment ago, or
 * an earlier run. Where deleted ones stay listed, only a deletion shows which fields mark them, by names that need not say so.
 */
async function unlessDeletedBefore(api: Api, first: Tried): Promise<Tried> {
  if (!againStatuses.includes(first.deleted.status)) return first;
  for (let count = 0; count < mostOthers; count += 1) {
    const next = await unlessBlocked(() => tryDeletion(api));
    if (next === undefined) return first;
    if (!isSuccess(next.deleted)) continue;
    const isGone = fateOf((await listUntilGone(api, first.disposable)).items, first.disposable) !== 'as before';
    const { items } = await listUntilGone(api, next.disposable);
    return isGone || isMarkedLike(next.disposable, items, first.disposable.record) ? next : first;
  }
  return first;
}

/**
 * Whether the record may be marked as deleted, as the data source is that was deleted and is among the items: it differs from what that
 * was before its deletion in a field that changed. So it may if the deletion changed nothing.
 */
export function isMarkedLike(deleted: Disposable, items: readonly Item[], record: unknown): boolean {
  const fate = fateOf(items, deleted);
  if (fate === 'gone' || fate === 'as before') return fate === 'as before';
  return fate.some((name) => !sameJson(at(record, name) ?? null, at(deleted.record, name) ?? null));
}

/** A deletion, and the lists before it. */
async function tryDeletion(api: Api, options: Options = {}): Promise<Tried> {
  const hasModels = await sourcesWithModels(api);
  const before = await takeSnapshot(api);
  for (const [organizationId, walk] of before.sources) await leaveOutGone(api, organizationId, walk);
  const lists = [...before.sources.values()].map(({ items }) => items);
  const taken = await takeDisposable(api, ...wishesIn(lists, hasModels));
  const { organizationId, id } = taken;
  const listed = before.sources.get(organizationId)?.items.find((item) => item.id === id);
  if (listed === undefined) {
    // The list may have been left out because it could not be read. Then it is blocked for that reason here.
    await givenWalk(api, 'listDataSources', as(taken.admin), organizationId, { limit: 100 });
    throw new Blocked(`data source ${id} of ${organizationId} is not listed any more before its deletion`);
  }
  const disposable = { ...taken, record: listed.record };
  // A cache may keep these pages although the data source is deleted.
  await api.listModels(as(disposable.admin), organizationId, modelsOf(id));
  await readPlainPages(api);
  const issued = await issueCursor(api, disposable, before);
  return { disposable, before, issued, ...(await deleteAsAnother(api, disposable, options)) };
}

async function readPlainPages(api: Api): Promise<void> {
  for (const { id } of declaring(api.session)) {
    const [admin] = adminsOf(api, id);
    if (admin !== undefined) await api.listDataSources(as(admin), id);
  }
}

/**
 * Deletes as another admin than the one who reads the lists, if there is one, and after a refusal as the latter: every admin may
 * delete it, also one who did not create it.
 */
async function deleteAsAnother(
  api: Api,
  disposable: Disposable,
  options: Options = {},
): Promise<Pick<Tried, 'deleter' | 'deleted' | 'refused'>> {
  const { organizationId, id, admin } = disposable;
  const attempt = async (deleter: Principal): Promise<Attempt> => {
    return { deleter, deleted: await api.deleteDataSource(as(deleter), organizationId, id, options) };
  };
  const first = await attempt(otherAdminOf(api, disposable) ?? admin);
  const { status } = first.deleted;
  const isRefused = first.deleter !== admin && status >= 400 && status < 500 && !isDoubtful(first.deleted);
  return isRefused ? { ...(await attempt(admin)), refused: first } : { ...first, refused: undefined };
}

/** Another admin than the one who reads the lists, if there is one. */
export function otherAdminOf(api: Api, { organizationId, admin }: Disposable): Principal | undefined {
  return adminsOf(api, organizationId).findLast((one) => one !== admin);
}

/**
 * Deletes another data source in an organization with two admins, if the recorded deletion was in one with a single admin.
 * Undefined if no such data source can be spared.
 */
export async function deleteWhereTwoMay(api: Api): Promise<Pick<Tried, 'deleted' | 'refused'> | undefined> {
  const hasTwo = (one: Disposable): boolean => otherAdminOf(api, one) !== undefined;
  if (hasTwo((await givenDeletion(api)).disposable)) return undefined;
  const spare = await unlessBlocked(() => takeSpareDisposables(api, 1, hasTwo));
  return spare === undefined ? undefined : deleteAsAnother(api, spare[0]);
}

/** The recorded deletion, which was accepted. Blocked if it was refused: delete.record judges that. */
export async function givenAcceptedDeletion(api: Api): Promise<Deletion> {
  const deletion = await givenDeletion(api);
  if (!isSuccess(deletion.deleted)) {
    throw new Blocked(`deleting ${deletion.disposable.id} was refused: ${summary(deletion.deleted)}`);
  }
  return deletion;
}

/** How a list shows the deleted data source. If it is still listed but marked: the names of the fields that mark it. */
export function fateOf(
  items: readonly Item[],
  { id, record }: Pick<Disposable, 'id' | 'record'>,
): 'gone' | 'as before' | readonly string[] {
  const item = items.find((listed) => listed.id === id);
  if (item === undefined) return 'gone';
  const marks = marksOf(record, item.record);
  return marks.length === 0 ? 'as before' : marks;
}

/** Reads the list until the data source is gone or marked, for a bounded time because a list may lag. */
export async function listUntilGone(api: Api, disposable: Disposable): Promise<Walk> {
  const { clock } = api.session;
  const { organizationId, admin } = disposable;
  const giveUpAt = clock.now() + listLagMs;
  for (let pauseMs = 250; ; pauseMs *= 2) {
    const walk = await givenWalk(api, 'listDataSources', as(admin), organizationId, { limit: 100 });
    if (fateOf(walk.items, disposable) !== 'as before' || clock.now() >= giveUpAt) return walk;
    await clock.sleep(pauseMs);
  }
}
