import { mustEqual } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { sinceChange, usedUp } from '../../engine/session/used-up.ts';
import { Blocked } from '../../engine/verdict.ts';
import type { Item } from '../../core/page.ts';
import type { Query } from '../../core/paths.ts';
import type { Principal } from '../../core/target.ts';
import type { Deletion } from '../../stage/deletion/deletion.ts';
import { untilHeard } from '../../stage/deletion/list-lag.ts';
import { adminOf } from '../../stage/lists/lists.ts';
import { givenPage } from '../../stage/lists/pages.ts';
import { givenWalk, type Walk } from '../../stage/lists/walk.ts';
import { givenSourcesAtLast } from '../deletion/late-overreach.ts';

/** The items of the page before the end: a page of one or two may come from another query. */
const limit = 3;

/** A list whose oldest items this run deleted. */
type End = {
  readonly organizationId: string;
  readonly admin: Principal;
  readonly isDeleted: (item: Item) => boolean;
};

/** Section 2.2: a page says whether items follow, also if only deleted data sources are older than its last item. */
export const moreAtLast: Check = check(
  'paging.has-more',
  { on: 'listDataSources', phase: 'last', uses: ['deletions'], variant: 'at-last', extended: true },
  async (api) => {
    const { deletion, sources } = await givenSourcesAtLast(api);
    const [end] = endsIn(api, deletion);
    if (end === undefined)
      throw new Blocked(
        'this run did not delete the oldest data source of any list: declare 6 or more under organizations.<id>.disposableDataSources, among them the oldest of an organization',
      );
    await mustEnd(api, end, sources.get(end.organizationId));
  },
);

function endsIn(api: Api, { before }: Deletion): readonly End[] {
  const deletions = usedUp(api.session).deletions.filter(({ certain }) => certain);
  return [...before.sources].flatMap(([organizationId, { items }]) => {
    const own = deletions.filter((one) => one.organizationId === organizationId);
    const deleted = new Set(own.map(({ dataSourceId }) => dataSourceId));
    const isDeleted = ({ id }: Item): boolean => deleted.has(id);
    const admin = adminOf(api, organizationId);
    const oldest = items.at(-1);
    return admin === undefined || oldest === undefined || !isDeleted(oldest)
      ? []
      : [{ organizationId, admin, isDeleted }];
  });
}

/** Whether this run deleted nothing since it began to read the list. */
function isReadSinceDeletion({ session }: Api, { pages: [first] }: Walk): boolean {
  const sentAt = first?.answer.exchange.sentAt ?? Number.NEGATIVE_INFINITY;
  return session.clock.now() - sentAt < sinceChange(session, 'deleteDataSource');
}

/** A copy of the list may still be as it was before a deletion, so a page that does not fit the next one is read again later. */
async function mustEnd(api: Api, { organizationId, admin, isDeleted }: End, read: Walk | undefined): Promise<void> {
  const page = (query: Query) => givenPage(api, 'listDataSources', as(admin), organizationId, query);
  const isLatest = read !== undefined && isReadSinceDeletion(api, read);
  const { items } = isLatest
    ? read
    : await givenWalk(api, 'listDataSources', as(admin), organizationId, { limit: 100 });
  // Deleted ones may stay listed. None is a cursor here, because other checks judge that.
  const end = items.findLastIndex((item) => !isDeleted(item)) + 1;
  const start = items.findLastIndex((item, place) => place < end - limit && !isDeleted(item)) + 1;
  const [last, cursor] = [items[end - 1]?.id, items[start - 1]?.id];
  if (last === undefined || end - start > 100)
    throw new Blocked(`no page of ${organizationId} ends before the data sources that were deleted`);
  const ending = { limit: end - start, ...(cursor === undefined ? {} : { cursor }) };
  const look = async () => ({ ended: await page(ending), next: await page({ cursor: last, limit: 1 }) });
  const fits = ({ ended, next }: Awaited<ReturnType<typeof look>>): boolean =>
    ended.hasMore === next.items.length > 0 || ended.items.at(-1)?.id !== last;
  const first = await look();
  if (fits(first)) return;
  await untilHeard(api, first.ended.answer);
  const again = await look();
  if (fits(again)) return;
  const what = `on the page of ${organizationId} that ends before data sources that were deleted, hasMore`;
  const { ended, next } = again;
  mustEqual(ended.hasMore, next.items.length > 0, what, first.ended.answer, ended.answer, next.answer);
}
