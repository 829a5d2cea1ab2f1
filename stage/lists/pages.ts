import { type Api, as, type Caller, type Query } from '../../engine/api.ts';
import { type Answer, bodyBytes, isSuccess, summary } from '../../core/exchange.ts';
import { type ListOperation, type Page, readPage } from '../../core/page.ts';
import { perRun } from '../../engine/session/run-memory.ts';
import type { Principal } from '../../core/target.ts';
import { Blocked } from '../../engine/verdict.ts';

/** A list of one organization, as one of its admins sees it. */
export type List = { readonly list: ListOperation; readonly organizationId: string; readonly admin: Principal };

/** The first page of each list that all checks share. */
export const widest: Query = { limit: 100 };

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

/** The total size of the answers that a run keeps for other checks. Beyond it, each check sends its own request. */
const maxKeptBytes = 8 * 1024 * 1024;

const keptIn = perRun(() => ({ bytes: 0 }));

/**
 * The answer to a request for a page, sent once for all checks that judge it, before this run changes any list. A check that
 * is tried again sends it again, because the answer may have been an accident.
 */
export function requestOnce(api: Api, { list, admin, organizationId }: List, query: Query): Promise<Answer> {
  if (api.attempt > 1) return requestPage(api, list, as(admin), organizationId, query);
  const answers = answersIn(api.session);
  const name = nameOf({ list, admin, organizationId }, query);
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
export function givenPageIn({ list, organizationId }: Pick<List, 'list' | 'organizationId'>, answer: Answer): Page {
  const page = readPage(answer);
  if (page !== undefined) return page;
  const why = isSuccess(answer)
    ? `${answer.status} without data whose items have an id, or without pagination: repair that first`
    : summary(answer);
  const judge = answer.status === 400 ? judgeOf(answer) : '';
  throw new Blocked(`${list} of ${organizationId} gave no readable page: ${answer.problem ?? why}${judge}`);
}

/** What was refused, and the requirement that judges the refusal; nothing if that is not known. */
function judgeOf({ exchange }: Answer): string {
  const query = new URLSearchParams(exchange.request.path.split('?')[1]);
  if (query.has('cursor')) return ' to a cursor; paging.any-id-is-cursor judges that';
  return query.get('limit') === '100' ? ' to limit=100; paging.limit-maximum judges that' : '';
}

/** The same of an answer that checks share. */
export async function knownPage(api: Api, list: List, query: Query): Promise<Page> {
  return givenPageIn(list, await requestOnce(api, list, query));
}

/** Checks that ask for the first page of the list from now on get another answer. */
export function forgetAnswers(api: Api, { list, organizationId, admin }: List): void {
  const answers = answersIn(api.session);
  for (const query of [widest, {}]) answers.delete(nameOf({ list, organizationId, admin }, query));
}

/** The order of parameters means nothing. */
function nameOf({ list, organizationId, admin }: List, query: Query): string {
  const parameters = Object.entries(query).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([list, organizationId, admin.name, parameters]);
}
