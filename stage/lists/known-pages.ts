import { type Api, as, type Query } from '../../engine/api.ts';
import { type Answer, bodyBytes } from '../../core/exchange.ts';
import type { Page } from '../../core/page.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import { adminsOf, givenPageIn, type ListFixture, requestPage, type Walk, walkBy } from './lists.ts';

type List = Omit<ListFixture, 'walk'>;

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

/** A page of the list for each other admin: what a record shows may depend on its reader. */
export async function requestAsOthers(api: Api, list: List): Promise<readonly Answer[]> {
  const others = adminsOf(api, list.organizationId).filter((admin) => admin !== list.admin);
  const answers: Answer[] = [];
  for (const admin of others) answers.push(await requestOnce(api, { ...list, admin }, {}));
  return answers;
}

/** The same as a page. Blocked if the answer is none. */
export async function knownPage(api: Api, list: List, query: Query): Promise<Page> {
  return givenPageIn(list, await requestOnce(api, list, query));
}

/** A walk of such pages, with `query` on every page. */
export function knownWalk(api: Api, list: List, query: Query, mostItems?: number): Promise<Walk> {
  return walkBy((asked) => knownPage(api, list, asked), query, mostItems);
}
