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
type End = { readonly organizationId: string; readonly admin: Principal; readonly left: readonly [Item, ...Item[]] };

/** Section 2.2: a page that ends with the last item says so, also if only deleted data sources are older. */
export const moreAtLast: Check = check(
  'paging.has-more',
  { on: 'listDataSources', phase: 'last', uses: ['deletions'], variant: 'at-last', extended: true },
  async (api) => {
    const { deletion, sources } = await givenSourcesAtLast(api);
    const { organizationId, id: deletedId } = deletion.disposable;
    if (sources.get(organizationId)?.items.some(({ id }) => id === deletedId) === true)
      throw new Blocked('deleted data sources stay listed, so none is left out behind a page');
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
    const [first, ...rest] = later?.items.filter(({ id }) => !deleted.has(id)) ?? [];
    const isOldest = deleted.has(items.at(-1)?.id ?? '') && later?.complete === true;
    return isOldest && admin !== undefined && first !== undefined
      ? [{ organizationId, admin, left: [first, ...rest] }]
      : [];
  });
}

/** A copy of the list may still show what was deleted just now, so a page that says more is read again later. */
async function mustEnd(api: Api, { organizationId, admin, left }: End): Promise<void> {
  const page = (query: Query) => givenPage(api, 'listDataSources', as(admin), organizationId, query);
  const cursor = left.at(-limit - 1)?.id;
  const ending = { limit: Math.min(limit, left.length), ...(cursor === undefined ? {} : { cursor }) };
  const last = left.at(-1)?.id ?? '';
  const first = await page(ending);
  if (!first.hasMore || first.items.at(-1)?.id !== last) return;
  await untilHeard(api, first.answer);
  const again = await page(ending);
  if (!again.hasMore || again.items.at(-1)?.id !== last) return;
  const next = await page({ cursor: last, limit: 1 });
  const what = `on the page that ends the list of ${organizationId}, before data sources that were deleted, hasMore`;
  mustEqual(again.hasMore, next.items.length > 0, what, first.answer, again.answer, next.answer);
}
