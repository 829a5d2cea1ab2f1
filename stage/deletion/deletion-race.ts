import { type Api, as } from '../../engine/api.ts';
import { heardMs, listLagMs } from '../../promises/deletion.ts';
import { fateOf, givenAcceptedDeletion } from './deletion.ts';
import { leaveOutGone, takeSpareDisposables } from './disposables.ts';
import type { Disposable } from './still-listed.ts';
import type { Answer } from '../../core/exchange.ts';
import { findOrder, noOrderFrom, type Order } from '../../engine/history/find-order.ts';
import type { Principal } from '../../core/target.ts';
import type { Lanes } from '../../engine/history/lanes.ts';
import { shared } from '../../engine/fixture.ts';
import { usedUp } from '../../engine/session/used-up.ts';
import { givenPage } from '../lists/pages.ts';
import { givenWalk, type Walk } from '../lists/walk.ts';
import { type Item, type Page, readPage } from '../../core/page.ts';
import { effectOf, race, type Raced, readStep, racedOf, writeStep } from '../../engine/race.ts';
import { Blocked } from '../../engine/verdict.ts';

/** One data source of a race. */
type RacedDeletion = {
  readonly disposable: Disposable;
  readonly attempts: readonly Raced[];
  /** Whether every attempt was answered as a deletion of an unknown ID is. */
  readonly wasUnknown: boolean;
  /** Whether one deletion explains everything that was seen of it. */
  readonly order: Order;
  /** The overlapping requests, and when no order explained them any more; undefined if some order may explain them. */
  readonly lanes: Lanes | undefined;
};

/** Data sources that several requests each deleted at the same instant, while their list was read. */
export type DeletionRace = {
  /** One or two, all of one organization. */
  readonly deletions: readonly RacedDeletion[];
  /** The items from the start of the concurrent reads on, before anything was deleted. */
  readonly around: readonly Item[];
  /** The concurrent reads, each with the items of `around` that it lacks although they were there before and after. */
  readonly pages: readonly { readonly answer: Answer; readonly missing: readonly Item[] }[];
  /** The list after the longest lag. */
  readonly after: Walk;
};

/** The number of requests to delete each data source, and of concurrent readers of the list. */
export const deletionTwins = 3;
const readers = 3;
/** The most reads of each reader. */
const readsMost = 5;
/** The pages begin this many items before the first data source of the race, and have this many items. */
const margin = 6;
const limit = 20;

const notListed = 'a disposable data source is not listed any more';

/** The deletion of one of these by a principal without the role. */
type DeniedOne = { readonly stranger: Principal; readonly answer: Answer };

/**
 * The data sources of the race, and a deletion of the first that must be denied, sent once in a run: it may leave something behind that
 * hides the deletions that follow. Blocked if no data source can be spared.
 */
export const givenDeniedBeforeRace = shared(async (api: Api) => {
  const { atLast } = await givenAcceptedDeletion(api);
  for (const [id, walk] of atLast.sources) await leaveOutGone(api, id, walk);
  const disposables = await takeSpareDisposables(api, 2, () => true, 'nearby');
  const [{ organizationId, id }] = disposables;
  const stranger = api.session.target.principals.find(({ adminOf }) => !adminOf.includes(organizationId));
  const denied: DeniedOne | undefined =
    stranger === undefined
      ? undefined
      : { stranger, answer: await api.deleteDataSource(as(stranger), organizationId, id) };
  return { disposables, denied };
});

/** A race of deletions, held once in a run. Blocked if no data source can be spared for it. */
export const givenDeletionRace = shared(async (api: Api): Promise<DeletionRace> => {
  const { atLast, unknown } = await givenAcceptedDeletion(api);
  const { disposables, denied } = await givenDeniedBeforeRace(api);
  const [{ organizationId, admin }] = disposables;
  if (denied !== undefined && denied.answer.status < 400)
    throw new Blocked(
      `a deletion was answered ${denied.answer.status} for ${denied.stranger.name}: access.denied judges that`,
    );
  const list = () => givenWalk(api, 'listDataSources', as(admin), organizationId, { limit: 100 });
  const before = atLast.sources.get(organizationId) ?? (await list());
  const places = disposables.map(({ id }) => before.items.findIndex((item) => item.id === id));
  if (places.includes(-1)) throw new Blocked(notListed);
  const begin = beginBefore(before.items, Math.min(...places) - margin, deletedIn(api, organizationId));
  const cursor = before.items[begin - 1]?.id;
  const query = { limit, ...(cursor === undefined ? {} : { cursor }) };
  const around = before.items.slice(begin);
  givenStillThere(await givenPage(api, 'listDataSources', as(admin), organizationId, query), around, disposables);

  let pending = disposables.length * deletionTwins;
  const more: Raced[] = [];
  const raced = await race(api, [
    ...disposables.flatMap(({ id }) =>
      Array.from(
        { length: deletionTwins },
        () => (gate: () => Promise<void>) =>
          api.deleteDataSource(as(admin), organizationId, id, { gate }).finally(() => (pending -= 1)),
      ),
    ),
    ...Array.from({ length: readers }, () => async (gate: () => Promise<void>) => {
      const first = await api.listDataSources(as(admin), organizationId, query, { gate });
      // Reads are often faster than deletions, so readers continue until the deletions are answered.
      for (let count = 1; count < readsMost && pending > 0; count += 1) {
        more.push(racedOf(await api.listDataSources(as(admin), organizationId, query)));
      }
      return first;
    }),
  ]);
  const answer = await api.listDataSources(as(admin), organizationId, query);
  const soon = await listSoon(api, list, disposables);
  // A replica of the list may lag for longer.
  const isListed = isAnyListed(soon, disposables);
  if (isListed) await api.session.clock.sleep(heardMs);
  const after = isListed ? await list() : soon;
  const last = await api.listDataSources(as(admin), organizationId, query);

  const reads = [...raced.slice(disposables.length * deletionTwins), ...more, racedOf(answer), racedOf(last)];
  const deletions = disposables.map((disposable, index) => {
    const attempts = raced.slice(index * deletionTwins, (index + 1) * deletionTwins);
    const shown = shownBy(disposable, reads, around, after);
    const steps = [
      ...attempts.map((one) => writeStep(one, () => 1)),
      ...shown.map(({ read, isGone }) => readStep(read, heardMs, (state) => (state === 1) === isGone)),
    ];
    const order = findOrder(steps, 0);
    const lanes =
      order === 'none' ? { requests: requestsOf(attempts, shown), failsAt: noOrderFrom(steps, 0) } : undefined;
    const wasUnknown = attempts.every((one) => isRefused(one, unknown[0]?.answer.status));
    return { disposable, attempts, wasUnknown, order, lanes };
  });
  if (!deletions.some(({ attempts, wasUnknown }) => wasUnknown || attempts.some((one) => effectOf(one) === 'done'))) {
    throw new Blocked('no deletion of the race was accepted: delete.record judges that');
  }
  const stayed = new Set(after.items.map(({ id }) => id));
  const deleted = deletedIn(api, organizationId);
  const others = around.filter(({ id }) => stayed.has(id) && !deleted.has(id));
  return { deletions, around, pages: reads.flatMap((read) => pageOf(read, around, others)), after };
});

/** A page that was read, with those of the `others` that it leaves out although it covers their places. */
function pageOf({ answer }: Raced, around: readonly Item[], others: readonly Item[]): DeletionRace['pages'] {
  const page = answer === undefined ? undefined : readPage(answer);
  if (page === undefined) return [];
  const shown = new Set(page.items.map(({ id }) => id));
  const missing = covered(page.items, page.hasMore, around).filter(
    (item) => others.includes(item) && !shown.has(item.id),
  );
  return [{ answer: page.answer, missing }];
}

/** Where pages begin, at that place or before it: the item before is their cursor, and one that was deleted may not be a cursor. */
function beginBefore(items: readonly Item[], place: number, deleted: ReadonlySet<string>): number {
  const isDeleted = (index: number): boolean => deleted.has(items[index]?.id ?? '');
  let begin = Math.max(0, place);
  while (begin > 0 && isDeleted(begin - 1)) begin -= 1;
  return begin;
}

function isRefused({ answer }: Raced, status: number | undefined): boolean {
  return answer !== undefined && answer.status === status && status >= 400 && status < 500;
}

/**
 * Blocked if the page lacks or marks one of them: another client may have deleted or edited it since the list was read, or the
 * denied deletion did. A field may also change with each answer.
 */
function givenStillThere(page: Page, around: readonly Item[], disposables: readonly Disposable[]): void {
  const there = new Set(covered(page.items, page.hasMore, around).map(({ id }) => id));
  for (const disposable of disposables) {
    const fate = there.has(disposable.id) ? fateOf(page.items, disposable) : 'as before';
    if (fate === 'gone') throw new Blocked(notListed);
    if (fate !== 'as before')
      throw new Blocked(`${disposable.id} is listed with another ${fate.join(' and ')} although nothing deleted it`);
  }
}

/** Everything that this run deleted there: a copy may still list it, before a race and after it. */
function deletedIn({ session }: Api, organizationId: string): ReadonlySet<string> {
  const { deletions } = usedUp(session);
  return new Set(deletions.filter((one) => one.organizationId === organizationId).map((one) => one.dataSourceId));
}

/** The list once it shows none of them as before, or after the usual lag. */
async function listSoon(api: Api, list: () => Promise<Walk>, disposables: readonly Disposable[]): Promise<Walk> {
  const { clock } = api.session;
  const giveUpAt = clock.now() + listLagMs;
  for (let pauseMs = 250; ; pauseMs *= 2) {
    const walk = await list();
    if (!isAnyListed(walk, disposables) || clock.now() >= giveUpAt) return walk;
    await clock.sleep(pauseMs);
  }
}

function isAnyListed({ items }: Walk, disposables: readonly Disposable[]): boolean {
  return disposables.some((one) => fateOf(items, one) === 'as before');
}

/** The items of `around` that the page must show, given its length. */
function covered(shown: readonly Item[], hasMore: boolean, around: readonly Item[]): readonly Item[] {
  if (!hasMore) return around;
  const ids = new Set(shown.map(({ id }) => id));
  return around.slice(0, around.findLastIndex(({ id }) => ids.has(id)) + 1);
}

/** A read, and whether it shows the data source gone or marked as deleted. */
type Shown = { readonly read: Raced; readonly isGone: boolean };

/** What the reads show of one data source. In the history, the state is 0 while it is present and 1 once it is deleted. */
function shownBy(
  disposable: Disposable,
  reads: readonly Raced[],
  around: readonly Item[],
  after: Walk,
): readonly Shown[] {
  const shows = reads.flatMap((read) => {
    const page = read.answer === undefined ? undefined : readPage(read.answer);
    if (page === undefined) return [];
    if (!covered(page.items, page.hasMore, around).some(({ id }) => id === disposable.id)) return [];
    return [{ read, isGone: isGoneIn(page.items, disposable) }];
  });
  // The pages begin near one data source, and the other may be far from it; the whole list shows both.
  const lastPage = after.complete ? after.pages.at(-1) : undefined;
  if (lastPage === undefined) return shows;
  return [...shows, { read: racedOf(lastPage.answer), isGone: isGoneIn(after.items, disposable) }];
}

function isGoneIn(items: readonly Item[], disposable: Disposable): boolean {
  return fateOf(items, disposable) !== 'as before';
}

function requestsOf(attempts: readonly Raced[], shown: readonly Shown[]): Lanes['requests'] {
  const all = [
    ...attempts.map(({ answer }) => ({ answer, shows: 'delete' })),
    ...shown.map(({ read: { answer }, isGone }) => ({ answer, shows: isGone ? 'gone' : 'still listed' })),
  ];
  return all.flatMap(({ answer, shows }) => (answer === undefined ? [] : [{ exchange: answer.exchange, shows }]));
}
