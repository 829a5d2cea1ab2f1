import { mustEqual } from '../../engine/answer.ts';
import { type Api, as } from '../../engine/api.ts';
import { check, type Check } from '../../engine/check.ts';
import { usedUp } from '../../engine/session/used-up.ts';
import { Blocked } from '../../engine/verdict.ts';
import type { Item } from '../../core/page.ts';
import type { Query } from '../../core/paths.ts';
import type { Principal } from '../../core/target.ts';
import type { Deletion } from '../../stage/deletion/deletion.ts';
import { untilHeard } from '../../stage/deletion/list-lag.ts';
import { adminOf } from '../../stage/lists/lists.ts';
import { givenPage } from '../../stage/lists/pages.ts';
import type { Walk } from '../../stage/lists/walk.ts';
import { givenSourcesAtLast } from '../deletion/late-overreach.ts';

/** The items of the page that ends the list: a page of one or two may come from another query. */
const limit = 3;

/** A list whose oldest items this run deleted. */
type End = {
  readonly organizationId: string;
  readonly admin: Principal;
  /** What is listed, to the oldest data source that was not deleted. */
  readonly left: readonly Item[];
};

/** Section 2.2: a page says whether items follow, also if only deleted data sources are older than its last item. */
export const moreAtLast: Check = check(
  'paging.has-more',
  { on: 'listDataSources', phase: 'last', uses: ['deletions'], variant: 'at-last', extended: true },
  async (api) => {
    const { deletion, sources } = await givenSourcesAtLast(api);
    const [end] = endsIn(api, deletion, sources);
    if (end === undefined)
      throw new Blocked(
        'this run did not delete the oldest data source of any list: declare 6 or more under organizations.<id>.disposableDataSources, among them the oldest of an organization',
      );
    await mustEnd(api, end);
  },
);

function endsIn(api: Api, { before }: Deletion, sources: ReadonlyMap<string, Walk>): readonly End[] {
  const deletions = usedUp(api.session).deletions.filter(({ certain }) => certain);
  return [...before.sources].flatMap(([organizationId, { items }]) => {
    const own = deletions.filter((one) => one.organizationId === organizationId);
    const deleted = new Set(own.map(({ dataSourceId }) => dataSourceId));
    const later = sources.get(organizationId);
    const admin = adminOf(api, organizationId);
    if (later?.complete !== true || admin === undefined || !deleted.has(items.at(-1)?.id ?? '')) return [];
    const left = later.items.slice(0, later.items.findLastIndex(({ id }) => !deleted.has(id)) + 1);
    return left.length === 0 ? [] : [{ organizationId, admin, left }];
  });
}

/** A copy of the list may still be as it was before a deletion, so a page that does not fit the next one is read again later. */
async function mustEnd(api: Api, { organizationId, admin, left }: End): Promise<void> {
  const page = (query: Query) => givenPage(api, 'listDataSources', as(admin), organizationId, query);
  const cursor = left.at(-limit - 1)?.id;
  const ending = { limit: Math.min(limit, left.length), ...(cursor === undefined ? {} : { cursor }) };
  const last = left.at(-1)?.id ?? '';
  const look = async () => ({ end: await page(ending), next: await page({ cursor: last, limit: 1 }) });
  const fits = ({ end, next }: Awaited<ReturnType<typeof look>>): boolean =>
    end.hasMore === next.items.length > 0 || end.items.at(-1)?.id !== last;
  const first = await look();
  if (fits(first)) return;
  await untilHeard(api, first.end.answer);
  const again = await look();
  if (fits(again)) return;
  const what = `on the page of ${organizationId} that ends before data sources that were deleted, hasMore`;
  const { end, next } = again;
  mustEqual(end.hasMore, next.items.length > 0, what, first.end.answer, end.answer, next.answer);
}
