import type { Target } from '../../core/target.ts';
import { type KnownSources, listAnswerOf, noteSources } from './known-sources.ts';
import { listRequest, type PlannedRequest } from './load-request.ts';

/** The most pages that are read for it. */
const mostPages = 20;
const perPage = 100;

/**
 * Reads the data sources of organizations that declare disposable ones, page by page, for a load that has not seen one yet: the pages that
 * it reads anyway are small and few. Returns the next request, or undefined while one is under way, or if nothing is left to read.
 */
export function searchDisposable(
  { organizations, principals }: Target,
  timeoutMs: number,
  known: KnownSources,
): () => PlannedRequest | undefined {
  const lists = organizations.flatMap(({ id, disposableDataSources }) => {
    const admin = principals.find(({ adminOf }) => adminOf.includes(id));
    return admin === undefined || disposableDataSources.length === 0 ? [] : [{ id, admin, disposableDataSources }];
  });
  let place = 0;
  let cursor: string | undefined;
  let left = mostPages;
  let isUnderWay = false;
  return () => {
    const list = lists[place];
    if (list === undefined || left === 0 || isUnderWay) return undefined;
    const { id, admin, disposableDataSources } = list;
    left -= 1;
    isUnderWay = true;
    return {
      kind: 'request',
      request: listRequest('listDataSources', admin, id, perPage, timeoutMs, cursor === undefined ? {} : { cursor }),
      done(outcome, body = []) {
        isUnderWay = false;
        if (outcome === 'unsent' || outcome === 429) return; // the same page is next
        const answer = outcome === 200 ? listAnswerOf(body) : undefined;
        if (answer !== undefined) noteSources(known, id, answer.items);
        const next = answer?.nextCursor;
        // One that is deleted meanwhile may be refused as a cursor.
        cursor = next !== undefined && disposableDataSources.includes(next) ? undefined : next;
        if (cursor === undefined) place += 1;
      },
    };
  };
}
