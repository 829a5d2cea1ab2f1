import { untilHeard } from '../../stage/deletion/list-lag.ts';
import { must, mustEqual } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { type Deletion, givenAcceptedDeletion } from '../../stage/deletion/deletion.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { isTaken } from '../../stage/deletion/disposables.ts';
import { type Around, pagesAround } from '../../stage/deletion/pages-around.ts';
import { givenModelsAtLast } from '../deletion/late-overreach.ts';
import { givenStillList } from '../../stage/lists/stillness.ts';
import { givenPage } from '../../stage/lists/pages.ts';
import type { Walk } from '../../stage/lists/walk.ts';
import type { Page } from '../../core/page.ts';
import { Blocked } from '../../engine/verdict.ts';
import { cursorIsLastId, defaultLimit } from '../../promises/lists.ts';
import { mustKeep } from '../shared/must-keep.ts';

const on = {
  on: 'listDataSources',
  variant: 'after-deletion',
  phase: 'deletions',
  uses: ['deletions'],
  extended: true,
} as const;

const onModels = { ...on, on: 'listModels', phase: 'last' } as const;

/** Sections 2.2 and 4.5: a deleted item takes no place on a page, and hasMore does not count it. */
export const pagingAfterDeletion: readonly Check[] = [
  check('paging.limit', on, async (api) => {
    const { after, inItsPlace, oneInItsPlace, disposable } = await givenAcceptedDeletion(api);
    const where = `where ${disposable.id} was`;
    for (const page of after.pages) mustBeFull(page, 100, where);
    if (inItsPlace !== undefined) mustBeFull(inItsPlace, 2, where);
    if (oneInItsPlace !== undefined) mustBeFull(oneInItsPlace, 1, where);
  }),

  // A page without a limit may be cut before deleted items are left out.
  check('paging.default-limit', on, async (api) => {
    const { disposable, after } = await givenAcceptedDeletion(api);
    if (after.items.length <= 50) throw new Blocked('fewer than 51 data sources are left after the deletion');
    const { admin, organizationId } = disposable;
    const page = await givenPage(api, 'listDataSources', as(admin), organizationId, {});
    mustKeep(defaultLimit, { page, atLeast: 0 }, page.answer);
  }),

  // A page that ends before the deleted item may have scanned it, and name it.
  check('paging.cursor-is-last-id', on, async (api) => {
    const { beforeItsPlace } = await givenAcceptedDeletion(api);
    if (beforeItsPlace !== undefined) mustKeep(cursorIsLastId, beforeItsPlace, beforeItsPlace.answer);
  }),

  check('paging.any-id-is-cursor', on, async (api) => {
    const { disposable, issued, behindIt, after, deleted } = await givenAcceptedDeletion(api);
    const { admin, organizationId, id: deletedId } = disposable;
    const place = after.items.findIndex(({ id }) => id === issued);
    if (place < 0 || behindIt === undefined) return;
    const [next, found] = [after.items[place + 1]?.id, behindIt.items[0]?.id];
    // One page may still show what this run deleted before.
    const isLate = [next, found].some((id) => id !== undefined && isTaken(api, organizationId, id));
    if (next !== found && isLate)
      throw new Blocked('a page showed a data source that this run deleted, or left it out');
    if (next !== found) await givenStillList(api, 'listDataSources', admin, organizationId);
    const what = `after ${issued}, a cursor since before the deletion of ${deletedId}, the first item`;
    mustEqual(found, next, what, deleted, behindIt.answer);
  }),

  check('paging.has-more', on, async (api) => {
    const deletion = await givenAcceptedDeletion(api);
    const { after, atLast, deleted, disposable } = deletion;
    let around: Around = deletion;
    if (!agrees(around) || endingWithMore(around, after).length > 0) {
      // The pages may come from replicas that lag.
      await untilHeard(api, deleted);
      around = await pagesAround(api, disposable, deletion.before, atLast);
    }
    const { beforeItsPlace, inItsPlace } = around;
    if (beforeItsPlace !== undefined && inItsPlace !== undefined) {
      const { answer, hasMore } = beforeItsPlace;
      const follows = inItsPlace.items.length > 0;
      const what = `before the place of ${disposable.id}, with ${follows ? 'items' : 'nothing'} there, hasMore`;
      mustEqual(hasMore, follows, what, answer, inItsPlace.answer);
    }
    mustNotEndEmpty([after, atLast.sources.get(disposable.organizationId)]);
    for (const { answer, hasMore, items } of endingWithMore(around, after)) {
      const { admin, organizationId } = disposable;
      const query = { cursor: items.at(-1)?.id ?? '', limit: 1 };
      const next = await givenPage(api, 'listDataSources', as(admin), organizationId, query);
      const what = `on the page that ends the list, where ${disposable.id} was, hasMore`;
      mustEqual(hasMore, next.items.length > 0, what, answer, next.answer);
    }
    await mustTellOfLast(api, deletion);
  }),

  // The same of the models, of which a cleanup job removes some.
  check('paging.limit', onModels, async (api) => {
    const short = (await givenModelWalks(api)).map(({ pages }) =>
      pages.find(({ hasMore, items }) => hasMore && items.length > 0 && items.length < 100),
    );
    const [page, later] = short;
    // Both walks must show it, because a job may remove models between a page and the next one.
    if (page === undefined || later === undefined) return;
    for (const { answer, items } of [page, later])
      must(false, 'with limit=100 a page of 100, while more follow', `${items.length}`, answer);
  }),

  check('paging.has-more', onModels, async (api) => mustNotEndEmpty(await givenModelWalks(api))),
];

/** The models of the organization where the deletion was: after it, and at the end, when a cleanup job may have removed some. */
async function givenModelWalks(api: Api): Promise<readonly Walk[]> {
  const { deletion, models } = await givenModelsAtLast(api);
  const { organizationId } = deletion.disposable;
  const walks = [deletion.atLast.models, models].map((lists) => lists.get(organizationId));
  const read = walks.filter((walk) => walk !== undefined);
  if (read.length < walks.length) throw new Blocked('the models could not be read after the deletion');
  if (read.every(({ pages }) => pages.length < 2)) throw new Blocked('needs more than 100 models after a deletion');
  return read;
}

/** Both walks must show it, because another client may delete the last items between two pages once. */
function mustNotEndEmpty(both: readonly (Walk | undefined)[]): void {
  const walks = both.filter((walk) => walk !== undefined);
  const isBroken = walks.every(endsEmpty);
  const pages = walks.flatMap((walk) => walk.pages.slice(-2)).map(({ answer }) => answer);
  must(!isBroken, 'hasMore false on the last page', 'hasMore true, and the next page is empty', ...pages);
}

/** The pages that begin where the data source was and end with the list, and say that more follow: perhaps its own row. */
function endingWithMore({ inItsPlace, oneInItsPlace, toTheEnd }: Around, { items, complete }: Walk): readonly Page[] {
  const last = complete ? items.at(-1)?.id : undefined;
  const pages = [inItsPlace, oneInItsPlace, toTheEnd].filter((page) => page !== undefined);
  return pages.filter((page) => last !== undefined && page.hasMore && page.items.at(-1)?.id === last);
}

/** With one item left, hasMore is true. */
async function mustTellOfLast(api: Api, deletion: Deletion): Promise<void> {
  const { after, disposable } = deletion;
  if (!after.complete) return;
  const isKept = (id: string | undefined): boolean => id !== undefined && !isTaken(api, disposable.organizationId, id);
  const items = after.items.slice(0, -1);
  const kept = items.findLast(({ id }, index) => isKept(id) && isKept(items[index + 1]?.id))?.id;
  // Deleted items that stay listed may be the last ones. If they are no cursors, one that was not deleted is.
  const staying = after.items.some(({ id }) => id === disposable.id) ? after.items.at(-3)?.id : undefined;
  for (const cursor of [staying, kept])
    if (cursor !== undefined && (await mustTellBehind(api, deletion, cursor))) return;
}

/** Whether the pages could be read. Another answer may come from a replica that lags, so they are read again later. */
async function mustTellBehind(api: Api, { deleted, disposable }: Deletion, cursor: string): Promise<boolean> {
  const pageAfter = (id: string) =>
    unlessBlocked(() =>
      givenPage(api, 'listDataSources', as(disposable.admin), disposable.organizationId, { cursor: id, limit: 1 }),
    );
  for (const isFinal of [false, true]) {
    const page = await pageAfter(cursor);
    if (page === undefined) return false;
    const next = await pageAfter(page.items[0]?.id ?? cursor);
    if (next === undefined) return false;
    const last = next.items[0];
    // A total that counts what was deleted shows only at the last item. A deleted one need not be a cursor.
    const isCursor = last !== undefined && !isTaken(api, disposable.organizationId, last.id);
    const behind = isCursor ? await pageAfter(last.id) : undefined;
    const wrong = [[page, next] as const, ...(behind === undefined ? [] : [[next, behind] as const])].find(
      ([one, following]) => one.hasMore !== following.items.length > 0,
    );
    if (wrong === undefined) return true;
    const [one, following] = wrong;
    const what = 'near the end of the list, after a deletion, hasMore';
    if (isFinal) mustEqual(one.hasMore, following.items.length > 0, what, one.answer, following.answer);
    else await untilHeard(api, deleted);
  }
  return true;
}

/** Whether the page before the place of the data source says what follows there. */
function agrees({ beforeItsPlace, inItsPlace }: Around): boolean {
  return beforeItsPlace?.hasMore === undefined || beforeItsPlace.hasMore === (inItsPlace?.items.length ?? 0) > 0;
}

/** Whether the last page is empty although the page before it said hasMore. */
function endsEmpty({ pages }: Walk): boolean {
  return pages.length > 1 && pages.at(-1)?.items.length === 0;
}

function mustBeFull({ answer, hasMore, items }: Page, limit: number, where: string): void {
  const isFull = items.length === limit || (items.length < limit && !hasMore);
  must(isFull, `a page of ${limit} ${where}, with limit=${limit}`, `${items.length}`, answer);
}
