import { type Api, as } from '../../engine/api.ts';
import { type Answer, isSuccess } from '../../core/exchange.ts';
import { type Item, type ListOperation, type Page, readPage } from '../../core/page.ts';
import { describe } from '../../core/text.ts';
import { patienceMs, waitedWithoutResult } from '../../engine/session/waits/patience.ts';
import type { Query } from '../../core/paths.ts';
import { Blocked } from '../../engine/verdict.ts';
import { givenLongestList, type ListFixture } from '../../stage/lists/lists.ts';
import { givenPage, requestPage } from '../../stage/lists/pages.ts';
import { unlessBlocked } from '../../stage/lists/snapshot.ts';
import { recordsIn } from '../../promises/records.ts';
import { isTaken } from '../../stage/deletion/disposables.ts';
import { type Settled, settled } from '../../engine/settled.ts';
import { type Cell, cellsOf, givenDenied, givenGranted } from '../access/access-matrix.ts';
import { type FilterCase, givenFilterCases, sourceIdOf } from '../models/model-filters.ts';
import { unknownKey } from '../shared/credentials.ts';

/** How long what knows keys and roles may need after an outage, and how often it is asked, in milliseconds. */
const recovery = { withinMs: 30_000, pauseMs: 3000 } as const;
/** How many principals read again after an outage. */
const most = { granted: 6, denied: 3 } as const;

/** The page that follows a cursor, before an outage and after it. */
export type Followed = {
  readonly list: ListFixture;
  readonly query: Query & { readonly cursor: string };
  readonly before: Page;
  readonly after: Answer;
};

/** The models of a data source: the first answer after an outage, and the first that shows some. */
type Filtered = { readonly one: FilterCase; readonly first: Answer; readonly after: Answer };

/** What was refused before an outage, asked for again right after it. */
type Refused = {
  readonly denied: readonly Cell[];
  /** To a key that was never issued. */
  readonly unknown: Answer;
};

type Roles = {
  readonly granted: readonly Cell[];
  readonly denied: readonly Cell[];
};

/** What reads show after an outage, or why they show nothing. */
export type Reads = {
  readonly refused: Settled<Refused>;
  readonly filtered: Settled<Filtered>;
  readonly followed: Readonly<Record<ListOperation, Settled<Followed>>>;
  readonly granted: Settled<readonly Cell[]>;
};

type Begun = {
  readonly roles: Settled<Roles>;
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

/** What must be refused, asked for as soon as the deployment is back: what knows keys and roles may be away for a moment longer. */
export function readRefused(api: Api, { roles }: Begun): Promise<Reads['refused']> {
  return after(roles, ({ granted, denied }) => refuseAgain(api, granted[0], denied));
}

/** What must be shown, asked for until it is: the copy that took over may lag, and what knows keys and roles may come back later. */
export async function readShown(api: Api, { roles, filtered, followed }: Begun): Promise<Omit<Reads, 'refused'>> {
  const shows = (answer: Answer): boolean => recordsIn(answer).length > 0;
  const followAgain = async (before: Omit<Followed, 'after'>): Promise<Followed> => {
    const isSame = (answer: Answer): boolean => showsTheSame(api, before, answer);
    return { ...before, after: await onceBack(api, isSame, () => follow(api, before)) };
  };
  return {
    filtered: await after(filtered, async (one) => {
      const first = await filterBy(api, one);
      return { one, first, after: shows(first) ? first : await onceBack(api, shows, () => filterBy(api, one)) };
    }),
    followed: {
      listModels: await after(followed.listModels, followAgain),
      listDataSources: await after(followed.listDataSources, followAgain),
    },
    granted: await after(roles, ({ granted }) =>
      onceBack(
        api,
        (cells) => cells.every(({ answer }) => isSuccess(answer)),
        () => cellsOf(api, 'listDataSources', granted),
      ),
    ),
  };
}

/** What is read first that is good, or last after half a minute. */
async function onceBack<Made>(
  { session }: Api,
  isGood: (made: Made) => boolean,
  ask: () => Promise<Made>,
  awaited: 'recovery from an outage' | 'a copy after an outage' = 'recovery from an outage',
): Promise<Made> {
  const untilMs = session.clock.now() + patienceMs(session, awaited, recovery.withinMs);
  let last = await ask();
  while (!isGood(last) && session.clock.now() < untilMs) {
    await session.clock.sleep(recovery.pauseMs);
    last = await ask();
  }
  if (!isGood(last)) waitedWithoutResult(session, awaited);
  return last;
}

async function after<Before, After>(
  before: Settled<Before>,
  make: (value: Before) => Promise<After>,
): Promise<Settled<After>> {
  return before.ok ? settled(make(before.value)) : before;
}

async function givenRoles(api: Api): Promise<Roles> {
  const shown = (await givenGranted(api, 'listDataSources')).filter(({ answer }) => isSuccess(answer));
  const isShown = ({ resource }: Cell): boolean => shown.some((cell) => cell.resource === resource);
  const denied = (await unlessBlocked(() => givenDenied(api, 'listDataSources'))) ?? [];
  const refused = denied.filter((cell) => isShown(cell) && !isSuccess(cell.answer));
  return { granted: oneEach(shown).slice(0, most.granted), denied: oneEach(refused).slice(0, most.denied) };
}

function oneEach(cells: readonly Cell[]): readonly Cell[] {
  return [...new Map(cells.map((cell) => [cell.principal, cell])).values()];
}

async function refuseAgain(api: Api, shown: Cell | undefined, denied: readonly Cell[]): Promise<Refused> {
  const unknown = await api.listDataSources(unknownKey(api), shown?.organizationId ?? '', { limit: 1 });
  return { unknown, denied: await cellsOf(api, 'listDataSources', denied) };
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
  if (recordsIn(await filterBy(api, one)).length === 0)
    throw new Blocked(`a filter by ${one.sourceId} shows no model any more before the outage`);
  return one;
}

/** A page of the models of the data source. */
function filterBy(api: Api, { list, sourceId }: FilterCase): Promise<Answer> {
  const query = { databaseConnectionId: sourceId, limit: 10 };
  return requestPage(api, list.list, as(list.admin), list.organizationId, query);
}

/** The first page, whose cursor is used. Other requests ask for data sources one at a time, and would be shown the same cursor again. */
const firstPages = {
  listModels: { limit: 1, name: 'one model', remedy: 'models of data sources' },
  listDataSources: { limit: 3, name: 'three data sources', remedy: 'data sources' },
} as const;

async function givenCursor(api: Api, operation: ListOperation): Promise<Omit<Followed, 'after'>> {
  const { limit, name, remedy } = firstPages[operation];
  const list = await givenLongestList(api, operation, limit + 1);
  const page = (query: Query) => givenPage(api, operation, as(list.admin), list.organizationId, query);
  const { nextCursor, hasMore } = await page({ limit });
  // What was listed before may have been deleted.
  if (nextCursor === null && !hasMore)
    throw new Blocked(
      `a page of ${name} ends the list of ${list.organizationId}: add ${remedy} that are not disposable`,
    );
  if (nextCursor === null)
    throw new Blocked(`a page of ${name} has no cursor although more follow: paging.cursor-null judges that`);
  const query = { limit: 2, cursor: nextCursor };
  return { list, query, before: await page(query) };
}

/** Whether a copy that lagged shows in the end what followed the cursor before the outage. */
export async function showsTheSameLater(api: Api, followed: Followed): Promise<boolean> {
  const isSame = (answer: Answer): boolean => showsTheSame(api, followed, answer);
  return isSame(await onceBack(api, isSame, () => follow(api, followed), 'a copy after an outage'));
}

function follow(api: Api, { list, query }: Omit<Followed, 'after'>): Promise<Answer> {
  return requestPage(api, list.list, as(list.admin), list.organizationId, query);
}

/** The IDs of items that should stay: this run deletes data sources, and a cleanup job deletes their models at any time. */
export function lastingIn(api: Api, { list }: Pick<Followed, 'list'>, items: readonly Item[]): readonly string[] {
  const sourceOf = (item: Item): string => (list.list === 'listDataSources' ? item.id : (sourceIdOf(item) ?? ''));
  return items.filter((item) => !isTaken(api, list.organizationId, sourceOf(item))).map(({ id }) => id);
}

/** Whether the answer shows what followed the cursor before the outage. */
export function showsTheSame(api: Api, followed: Omit<Followed, 'after'>, answer: Answer): boolean {
  const expected = lastingIn(api, followed, followed.before.items);
  const shown = lastingIn(api, followed, readPage(answer)?.items ?? []);
  return isSuccess(answer) && describe(shown.slice(0, expected.length)) === describe(expected);
}
