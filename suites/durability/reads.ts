import { type Api, as } from '../../engine/api.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import type { ListOperation, Page } from '../../core/page.ts';
import type { Query } from '../../core/paths.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenLongestList, type ListFixture } from '../../stage/lists/lists.ts';
import { givenPage, requestPage } from '../../stage/lists/pages.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { isTaken } from '../../stage/deletion/disposables.ts';
import { type Settled, settled } from '../../stage/rate-limit/rate-probe.ts';
import { type Cell, cellsOf, givenDenied, givenGranted } from '../access/access-matrix.ts';
import { type FilterCase, givenFilterCases } from '../models/model-filters.ts';
import { unknownKey } from '../shared/credentials.ts';

/** How many principals read again after an outage. */
const most = { granted: 6, denied: 3 } as const;

/** The page that follows a cursor, before an outage and after it. */
export type Followed = {
  readonly list: ListFixture;
  readonly query: Query & { readonly cursor: string };
  readonly before: Page;
  readonly after: Answer;
};

/** The models of a data source, after an outage. */
export type Filtered = { readonly one: FilterCase; readonly after: Answer };

/** What was shown and refused before an outage, asked for again right after it. */
type Roles = {
  readonly granted: readonly Cell[];
  readonly denied: readonly Cell[];
  /** To a key that was never issued. */
  readonly unknown: Answer;
};

/** What reads show after an outage, or why they show nothing. */
export type Reads = {
  readonly roles: Settled<Roles>;
  readonly filtered: Settled<Filtered>;
  readonly followed: Readonly<Record<ListOperation, Settled<Followed>>>;
};

type Begun = {
  readonly roles: Settled<Pick<Roles, 'granted' | 'denied'>>;
  readonly filtered: Settled<FilterCase>;
  readonly followed: Readonly<Record<ListOperation, Settled<Omit<Followed, 'after'>>>>;
};

export async function beginReads(api: Api): Promise<Begun> {
  return {
    roles: await settled(givenRoles(api)),
    filtered: await settled(givenFilter(api)),
    followed: {
      listModels: await settled(givenCursor(api, 'listModels')),
      listDataSources: await settled(givenCursor(api, 'listDataSources')),
    },
  };
}

/** Keys and roles come first: what knows them may be away for a moment longer. */
export async function endReads(api: Api, { roles, filtered, followed }: Begun): Promise<Reads> {
  return {
    roles: await after(roles, (before) => askAgain(api, before)),
    filtered: await after(filtered, async (one) => ({ one, after: await filter(api, one) })),
    followed: {
      listModels: await after(followed.listModels, (before) => follow(api, before)),
      listDataSources: await after(followed.listDataSources, (before) => follow(api, before)),
    },
  };
}

async function after<Before, After>(
  before: Settled<Before>,
  make: (value: Before) => Promise<After>,
): Promise<Settled<After>> {
  return before.ok ? settled(make(before.value)) : before;
}

async function givenRoles(api: Api): Promise<Pick<Roles, 'granted' | 'denied'>> {
  const shown = (await givenGranted(api, 'listDataSources')).filter(({ answer }) => isSuccess(answer));
  const isShown = ({ resource }: Cell): boolean => shown.some((cell) => cell.resource === resource);
  const denied = (await unlessBlocked(() => givenDenied(api, 'listDataSources'))) ?? [];
  const refused = denied.filter((cell) => isShown(cell) && !isSuccess(cell.answer));
  return { granted: oneEach(shown).slice(0, most.granted), denied: oneEach(refused).slice(0, most.denied) };
}

function oneEach(cells: readonly Cell[]): readonly Cell[] {
  return [...new Map(cells.map((cell) => [cell.principal, cell])).values()];
}

async function askAgain(api: Api, { granted, denied }: Pick<Roles, 'granted' | 'denied'>): Promise<Roles> {
  const [{ organizationId } = { organizationId: '' }] = granted;
  const unknown = await api.listDataSources(unknownKey(api), organizationId, { limit: 1 });
  return {
    unknown,
    denied: await cellsOf(api, 'listDataSources', denied),
    granted: await cellsOf(api, 'listDataSources', granted),
  };
}

async function givenFilter(api: Api): Promise<FilterCase> {
  const cases = (await givenFilterCases(api)).filter(({ list, sourceId, models }) => {
    const others = list.walk.items.length - models.length;
    return models.length > 0 && others > 0 && !isTaken(api, list.organizationId, sourceId);
  });
  const [one] = cases.toSorted(
    (a, b) => Number(a.disposable) - Number(b.disposable) || b.models.length - a.models.length,
  );
  if (one === undefined) throw new Blocked('needs an organization with models of two data sources');
  return one;
}

function filter(api: Api, { list, sourceId }: FilterCase): Promise<Answer> {
  const query = { databaseConnectionId: sourceId, limit: 10 };
  return requestPage(api, list.list, as(list.admin), list.organizationId, query);
}

async function givenCursor(api: Api, operation: ListOperation): Promise<Omit<Followed, 'after'>> {
  const list = await givenLongestList(api, operation, 2);
  const noun = operation === 'listModels' ? 'model' : 'data source';
  const page = (query: Query) => givenPage(api, operation, as(list.admin), list.organizationId, query);
  const { nextCursor, hasMore } = await page({ limit: 1 });
  // What was listed before may have been deleted.
  if (nextCursor === null && !hasMore)
    throw new Blocked(
      `a page of one ${noun} ends the list of ${list.organizationId}: add ${
        operation === 'listModels' ? 'models of data sources' : 'data sources'
      } that are not disposable`,
    );
  if (nextCursor === null)
    throw new Blocked(`a page of one ${noun} has no cursor although more follow: paging.cursor-null judges that`);
  const query = { limit: 2, cursor: nextCursor };
  return { list, query, before: await page(query) };
}

async function follow(api: Api, before: Omit<Followed, 'after'>): Promise<Followed> {
  const { list, query } = before;
  return { ...before, after: await requestPage(api, list.list, as(list.admin), list.organizationId, query) };
}
