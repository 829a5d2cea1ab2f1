import { must } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { type Deletion, fateOf } from '../../stage/deletion/deletion.ts';
import { givenPage } from '../../stage/lists/pages.ts';
import { givenWalk, type Walk } from '../../stage/lists/walk.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import type { Query } from '../../core/paths.ts';
import type { Principal } from '../../core/target.ts';
import type { Item, Page } from '../../core/page.ts';
import { describe } from '../../core/text.ts';
import { rememberUnshown, untilShown } from '../../stage/deletion/list-lag.ts';
import { usedUp } from '../../engine/session/used-up.ts';
import { adminOf } from '../../stage/lists/lists.ts';
import { Blocked } from '../../engine/verdict.ts';

/** Requests at once, because a load balancer may send sequential ones to the same replica. */
const looksAtOnce = 4;

/** The part of the list that was read; undefined if it could not be read. */
type Seen = Pick<Walk, 'items' | 'pages'> | undefined;

export function asSeen(page: Page | undefined): Seen {
  return page === undefined ? undefined : { items: page.items, pages: [page] };
}

/** The list must not show the deleted data source as before. */
export function mustBeDeleted({ disposable, deleted }: Deletion, when: string, ...walks: readonly Seen[]): void {
  const fate = fateOf(walks.at(-1)?.items ?? [], disposable);
  const expected = `${describe(disposable.id)} gone from the list or marked as deleted ${when}`;
  const pages = walks.flatMap((walk) => (walk?.pages ?? []).slice(0, 4).map(({ answer }) => answer));
  must(fate !== 'as before', expected, 'still listed as before', deleted, ...pages);
}

/** Looks several times at once: a single look may miss the replica that does not show a deletion. */
function severalLooks<One>(look: () => Promise<One>): Promise<readonly One[]> {
  return Promise.all(Array.from({ length: looksAtOnce }, look));
}

/** A replica may lag: if the data source is still listed, the list is read again once all replicas must show the deletion. */
export async function mustBeDeletedSoon(
  api: Api,
  deletion: Deletion,
  when: string,
  seen: Seen,
  look: () => Promise<Seen>,
): Promise<void> {
  const { disposable, deleted } = deletion;
  if (seen === undefined || fateOf(seen.items, disposable) !== 'as before') return;
  await untilShown(api, deleted);
  const all = (await severalLooks(look)).filter((one) => one !== undefined);
  const [again] = all;
  if (again === undefined) throw new Blocked('the list could not be read again after the deletion');
  const kept = all.find(({ items }) => fateOf(items, disposable) === 'as before');
  if (kept !== undefined) rememberUnshown(api);
  mustBeDeleted(deletion, when, seen, kept ?? again);
}

/** The page where the data source was, read several times at once. */
export async function lookAtItsPlace(
  api: Api,
  { disposable, before, deleter }: Deletion,
): Promise<readonly NonNullable<Seen>[]> {
  const { organizationId, admin } = disposable;
  const look = async (who: Principal, limit: Query, cursor: string | undefined): Promise<NonNullable<Seen>> => {
    const query = { ...limit, ...(cursor === undefined ? {} : { cursor }) };
    const page = await unlessBlocked(() => givenPage(api, 'listDataSources', as(who), organizationId, query));
    // The cursor may have been deleted as well.
    return asSeen(page) ?? (await givenWalk(api, 'listDataSources', as(who), organizationId, limit));
  };
  const { items = [], pages = [] } = before.sources.get(organizationId) ?? {};
  const isIt = ({ id }: Item): boolean => id === disposable.id;
  const cursor = pages[pages.findIndex((page) => page.items.some(isIt)) - 1]?.nextCursor ?? undefined;
  // The one who deleted it may have an older copy than others, or a newer one.
  const usual = Array.from({ length: looksAtOnce }, (_, index) =>
    look(index % 2 === 0 ? admin : deleter, { limit: 100 }, cursor),
  );
  // A cache may keep answers by their query, and then both callers get the same page for a query that both use. Only one uses this one.
  return Promise.all([...usual, look(deleter, {}, items[items.findIndex(isIt) - 1]?.id)]);
}

/** What this run deleted, by organization, as it was listed before. */
function deletedItems({ session }: Api, { before }: Deletion): ReadonlyMap<string, readonly Item[]> {
  const done = usedUp(session).deletions.filter(({ certain }) => certain);
  const byOrganization = Map.groupBy(done, ({ organizationId }) => organizationId);
  return new Map(
    [...byOrganization].map(([id, ones]) => {
      const listed = before.sources.get(id)?.items ?? [];
      return [id, listed.filter((item) => ones.some(({ dataSourceId }) => dataSourceId === item.id))] as const;
    }),
  );
}

/** No list shows a data source as it was before that this run deleted, whichever check did so. */
export async function mustHaveDeleted(api: Api, deletion: Deletion, lists: ReadonlyMap<string, Walk>): Promise<void> {
  for (const [organizationId, items] of deletedItems(api, deletion)) {
    const first = lists.get(organizationId);
    const admin = adminOf(api, organizationId);
    const page = first?.pages.at(-1);
    const isKept = (walk: Walk) => (item: Item) => fateOf(walk.items, item) === 'as before';
    if (first === undefined || page === undefined || admin === undefined || !items.some(isKept(first))) continue;
    await untilShown(api, page.answer);
    const all = await severalLooks(() => givenWalk(api, 'listDataSources', as(admin), organizationId, { limit: 100 }));
    const last = all.find((walk) => items.some(isKept(walk)));
    if (last === undefined) continue;
    rememberUnshown(api);
    const expected = `${describe(items.find(isKept(last))?.id)}, which this run deleted, gone from the list or marked there`;
    const pages = last.pages.slice(0, 4).map(({ answer }) => answer);
    must(false, expected, 'still listed as before', deletion.deleted, ...pages);
  }
}

/**
 * The page without any parameter, which many clients read and a cache may keep: it shows no data source that this run deleted as
 * it was before.
 */
export async function mustNotKeepDeleted(api: Api, deletion: Deletion): Promise<void> {
  for (const [organizationId, were] of deletedItems(api, deletion)) {
    const admin = adminOf(api, organizationId);
    if (admin === undefined || were.length === 0) continue;
    const look = async (): Promise<Page> => givenPage(api, 'listDataSources', as(admin), organizationId, {});
    const isKept = (page: Page) => (item: Item) => fateOf(page.items, item) === 'as before';
    const first = await look();
    if (!were.some(isKept(first))) continue;
    // It may have been deleted just now, and a list may lag.
    await untilShown(api, first.answer);
    const page = (await severalLooks(look)).find((one) => were.some(isKept(one)));
    if (page === undefined) continue;
    rememberUnshown(api);
    const expected = `${describe(were.find(isKept(page))?.id)}, which this run deleted, not on the page without parameters, or marked there`;
    must(false, expected, 'still listed as before', deletion.deleted, first.answer, page.answer);
  }
}
