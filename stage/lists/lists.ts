import { type Api, as, type Caller, type Query } from '../../engine/api.ts';
import { type Answer, bodyBytes, isSuccess, summary } from '../../core/exchange.ts';
import { shared } from '../../engine/fixture.ts';
import { type Item, type ListOperation, listOperations, type Page, readPage } from '../../core/page.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import type { Principal } from '../../core/target.ts';
import { Blocked } from '../../engine/verdict.ts';

/** A list read page by page. Not complete if it has more than {@link maxWalkItems} items or {@link maxWalkBytes}. */
export type Walk = { readonly items: readonly Item[]; readonly pages: readonly Page[]; readonly complete: boolean };

/** A list of one organization, as one of its admins sees it. */
export type ListFixture = {
  readonly list: ListOperation;
  readonly organizationId: string;
  readonly admin: Principal;
  readonly walk: Walk;
  /** An earlier walk that showed nothing, if this one shows something. */
  readonly emptyBefore?: Walk | undefined;
};

export type List = Omit<ListFixture, 'walk' | 'emptyBefore'>;

/** The most items that a walk reads; a longer list is judged by its first items. */
export const maxWalkItems = 2000;

/** The most bytes of pages that a walk keeps. Parsed, they take several times as much memory. */
const maxWalkBytes = 32 * 1024 * 1024;

export function requestPage(
  api: Api,
  list: ListOperation,
  caller: Caller,
  organizationId: string,
  query: Query,
): Promise<Answer> {
  return list === 'listModels'
    ? api.listModels(caller, organizationId, query)
    : api.listDataSources(caller, organizationId, query);
}

/** Answers by list, organization, caller and query. */
const answersIn = perRun(() => new Map<string, Promise<Answer>>());

/** The most bytes of answers that a run keeps for other checks. Later ones are sent again. */
const maxKeptBytes = 8 * 1024 * 1024;

const keptIn = perRun(() => ({ bytes: 0 }));

/**
 * The answer to a request for a page, sent once for all checks that judge it, before this run changes any list. A check that
 * is tried again sends it again, because the answer may have been an accident.
 */
export function requestOnce(api: Api, { list, admin, organizationId }: List, query: Query): Promise<Answer> {
  if (api.attempt > 1) return requestPage(api, list, as(admin), organizationId, query);
  const answers = answersIn(api.session);
  const name = JSON.stringify([list, organizationId, admin.name, query]);
  const known = answers.get(name);
  if (known !== undefined) return known;
  const answer = requestPage(api, list, as(admin), organizationId, query);
  answers.set(name, answer);
  const kept = keptIn(api.session);
  answer.then(
    ({ exchange }) => {
      const bytes = bodyBytes(exchange);
      if (kept.bytes + bytes > maxKeptBytes) answers.delete(name);
      else kept.bytes += bytes;
    },
    () => answers.delete(name),
  );
  return answer;
}

/** One page. Blocked if the answer is not a page: paging.envelope and access.granted judge that. */
export async function givenPage(
  api: Api,
  list: ListOperation,
  caller: Caller,
  organizationId: string,
  query: Query,
): Promise<Page> {
  return givenPageIn({ list, organizationId }, await requestPage(api, list, caller, organizationId, query));
}

/** The page of an answer. Blocked if there is none. */
export function givenPageIn(
  { list, organizationId }: Pick<ListFixture, 'list' | 'organizationId'>,
  answer: Answer,
): Page {
  const page = readPage(answer);
  if (page !== undefined) return page;
  const why = isSuccess(answer)
    ? `${answer.status} without data whose items have an id, or without pagination: repair that first`
    : summary(answer);
  throw new Blocked(`${list} of ${organizationId} gave no readable page: ${answer.problem ?? why}`);
}

/** The same of an answer that checks share. */
export async function knownPage(api: Api, list: List, query: Query): Promise<Page> {
  return givenPageIn(list, await requestOnce(api, list, query));
}

/** Reads a list page by page, see {@link walkBy}. */
export function givenWalk(
  api: Api,
  list: ListOperation,
  caller: Caller,
  organizationId: string,
  query: Query,
  mostItems?: number,
): Promise<Walk> {
  return walkBy((asked) => givenPage(api, list, caller, organizationId, asked), query, mostItems);
}

/** A walk of pages that checks share, with `query` on every page. */
export function knownWalk(api: Api, list: List, query: Query, mostItems?: number): Promise<Walk> {
  return walkBy((asked) => knownPage(api, list, asked), query, mostItems);
}

/**
 * Reads a list by nextCursor until there is none or hasMore is false, `query` on every page. Bounded in items and in
 * pages; a repeated cursor ends it.
 */
export async function walkBy(
  pageOf: (query: Query) => Promise<Page>,
  query: Query,
  mostItems = maxWalkItems,
): Promise<Walk> {
  const pages: Page[] = [];
  const items: Item[] = [];
  const cursors = new Set<string>();
  let bytes = 0;
  let cursor: string | null = null;
  for (;;) {
    const page: Page = await pageOf(cursor === null ? query : { ...query, cursor });
    pages.push(page);
    bytes += bodyBytes(page.answer.exchange);
    items.push(...page.items);
    cursor = page.nextCursor;
    if (cursor === null || !page.hasMore) return { items, pages, complete: true };
    if (page.items.length === 0 || cursors.has(cursor) || items.length >= mostItems || bytes >= maxWalkBytes)
      return { items, pages, complete: false };
    cursors.add(cursor);
  }
}

/** The first page of each list that all checks share. */
export const widest: Query = { limit: 100 };

/** The list of every organization that has an admin, read once in a run; unreadable ones are left out. */
const listed = shared(async (api: Api, list: string): Promise<readonly ListFixture[]> => {
  const fixtures: ListFixture[] = [];
  let unreadable: Blocked | undefined;
  for (const operation of listOperations.filter((name) => name === list)) {
    for (const { id } of api.session.target.organizations) {
      for (const admin of adminsOf(api, id)) {
        try {
          const one = { list: operation, organizationId: id, admin };
          fixtures.push({ ...one, walk: await widestWalk(api, one) });
          break;
        } catch (error) {
          if (!(error instanceof Blocked)) throw error;
          unreadable ??= error;
        }
      }
    }
  }
  if (fixtures.length === 0 && unreadable !== undefined) throw unreadable;
  return fixtures.every(isEmpty) ? readAgain(api, fixtures) : fixtures;
});

/** How often lists that are all empty are read again, and the pause before that, in milliseconds: other requests may disturb one. */
const repeatedReads = { most: 2, pauseMs: 300 } as const;

function isEmpty({ walk }: ListFixture): boolean {
  return walk.complete && walk.items.length === 0;
}

/** The lists, read again one by one. Where none shows anything, a whole run would be blocked by what may be one wrong answer. */
async function readAgain(api: Api, fixtures: readonly ListFixture[]): Promise<readonly ListFixture[]> {
  for (let count = 0; count < repeatedReads.most; count += 1) {
    await api.session.clock.sleep(repeatedReads.pauseMs);
    const again: ListFixture[] = [];
    for (const { walk: before, ...list } of fixtures) {
      forgetAnswers(api, list);
      const walk = await widestWalk(api, list).catch((error: unknown) => {
        if (!(error instanceof Blocked)) throw error;
        return before;
      });
      again.push({ ...list, walk, emptyBefore: walk.items.length > 0 ? before : undefined });
    }
    if (!again.every(isEmpty)) return again;
  }
  return fixtures;
}

/** Checks that ask for the first page of the list from now on get another answer. */
function forgetAnswers(api: Api, { list, organizationId, admin }: List): void {
  const answers = answersIn(api.session);
  for (const query of [widest, {}]) answers.delete(JSON.stringify([list, organizationId, admin.name, query]));
}

/** A walk with limit=100, or without a limit if the deployment refuses that: paging.limit-maximum judges it. */
async function widestWalk(api: Api, list: List): Promise<Walk> {
  try {
    return await knownWalk(api, list, widest);
  } catch (error) {
    if (!(error instanceof Blocked)) throw error;
    return knownWalk(api, list, {});
  }
}

/** Every list that can be read, in the order of the target file. Blocked if there is none. */
export async function givenLists(api: Api, list: ListOperation): Promise<readonly ListFixture[]> {
  const fixtures = await listed(api, list);
  if (fixtures.length === 0)
    throw new Blocked('no principal is adminOf any organization: declare one in the target file');
  return fixtures;
}

/**
 * The longest list, or the longest that was read to its end. Blocked if it has fewer than `atLeast` items, because a short
 * list proves nothing.
 */
export async function givenLongestList(
  api: Api,
  list: ListOperation,
  atLeast: number,
  extent: 'complete' | 'any' = 'any',
): Promise<ListFixture> {
  const all = await givenLists(api, list);
  const fixtures = extent === 'any' ? all : all.filter(({ walk }) => walk.complete);
  if (fixtures.length === 0) {
    throw new Blocked(
      `every list is longer than the ${maxWalkItems} items, or the ${maxWalkBytes} bytes, that are read: declare a smaller organization`,
    );
  }
  const longest = fixtures.reduce((best, next) => (next.walk.items.length > best.walk.items.length ? next : best));
  const { organizationId, walk } = longest;
  const noun = list === 'listModels' ? 'models' : 'data sources';
  if (walk.items.length < atLeast) {
    throw new Blocked(
      `needs an organization with ${atLeast} ${noun}; the largest declared one, ${organizationId}, shows ${walk.items.length}`,
    );
  }
  return longest;
}

/** A principal that the target file names as admin of the organization. */
export function adminOf(api: Api, organizationId: string): Principal | undefined {
  return adminsOf(api, organizationId)[0];
}

/** Admins who are tried in turn: one of them may be declared wrongly, and access.granted judges each. */
const mostAdmins = 3;

export function adminsOf({ session }: Api, organizationId: string): readonly Principal[] {
  return session.target.principals.filter(({ adminOf }) => adminOf.includes(organizationId)).slice(0, mostAdmins);
}

/** A page of the list for each other admin: what a record shows may depend on its reader. */
export async function requestAsOthers(api: Api, list: List): Promise<readonly Answer[]> {
  const others = adminsOf(api, list.organizationId).filter((admin) => admin !== list.admin);
  const answers: Answer[] = [];
  for (const admin of others) answers.push(await requestOnce(api, { ...list, admin }, {}));
  return answers;
}
