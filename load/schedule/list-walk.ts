import { stringAt } from '../../core/json.ts';
import { type ListOperation, listOperations } from '../../core/page.ts';
import type { Target } from '../../core/target.ts';
import type { Outcome } from '../measure/outcome.ts';
import type { MixEntry } from '../profile/mix.ts';
import { pick } from './draw.ts';
import { createFollowUps, type FollowUps } from './follow-ups.ts';
import { type KnownSources, listAnswerOf, noteSources } from './known-sources.ts';
import { listRequest, type LoadRequest, type PlannedRequest } from './load-request.ts';

/** The requests of a list, as far as they are known: its first page, and what its answers led to. */
type ListWalk = {
  readonly organizationId: string;
  /** The request for a number from 0 up to 1. Half of them are first pages. */
  readonly at: (place: number) => PlannedRequest;
  /** Adds the filters, once the data sources of the organization are known. */
  readonly addFilters: () => void;
};

type ListEntry = Extract<MixEntry, { operation: ListOperation }>;

/** The lists of an entry, which requests are drawn from. */
export type Lists = {
  /**
   * The request for two numbers from 0 up to 1: of the list, and of the page. An empty list is drawn less often, because it shows
   * neither pages nor the cost of items. While there are follow-ups that were not sent yet, every other request is one of them, except in the warm-up, which does not count.
   */
  readonly at: (list: number, page: number, isWarmUp: boolean) => PlannedRequest;
};

/** The share of requests that are drawn from all lists. The others are drawn from those that are not known to be empty. */
const anyShare = 0.1;
/** The share of requests that ask for a first page. */
const firstShare = 0.5;
/** A list of models is also read for this many data sources. */
const mostFilters = 2;

/** The lists of an entry; undefined if no principal may read one. */
export function createLists(
  entry: ListEntry,
  target: Target,
  timeoutMs: number,
  known: Pick<WalkOf, 'sources' | 'deletes'>,
): Lists | undefined {
  const hasItems = new Map<string, boolean>();
  const unsent = createFollowUps();
  const all = listWalks(entry, target, timeoutMs, { ...known, noteFirstPage, unsent });
  let drawn = all;
  let organizationsKnown = 0;
  let wasFollowUp = false;

  function noteFirstPage(organizationId: string, items: boolean): void {
    hasItems.set(organizationId, items || hasItems.get(organizationId) === true);
    const filled = all.filter((walk) => hasItems.get(walk.organizationId) !== false);
    drawn = filled.length === 0 ? all : filled;
  }

  function takeUnsent(): PlannedRequest | undefined {
    if (known.sources.size > organizationsKnown) {
      organizationsKnown = known.sources.size;
      for (const walk of all) walk.addFilters();
    }
    return unsent.take();
  }

  if (all.length === 0) return undefined;
  return {
    at(list, page, isWarmUp) {
      const followUp = wasFollowUp || isWarmUp ? undefined : takeUnsent();
      wasFollowUp = followUp !== undefined;
      if (followUp !== undefined) return followUp;
      const walk = list < anyShare ? pick(all, list / anyShare) : pick(drawn, (list - anyShare) / (1 - anyShare));
      return walk.at(page);
    },
  };
}

/**
 * Every list of an entry: of each organization, as each of its admins, with each limit. Only answers tell what is behind the
 * first page, so each request reads one answer until it knows what follows, and its answers are not read again.
 */
function listWalks(
  entry: ListEntry,
  target: Target,
  timeoutMs: number,
  known: Pick<WalkOf, 'sources' | 'deletes' | 'noteFirstPage' | 'unsent'>,
): readonly ListWalk[] {
  const limits = entry.limits.length === 0 ? [undefined] : entry.limits;
  return target.organizations.flatMap(({ id, disposableDataSources }) =>
    target.principals
      .filter(({ adminOf }) => adminOf.includes(id))
      .flatMap((admin) =>
        limits.map((limit) => {
          const send = (query: Query) => listRequest(entry.operation, admin, id, limit, timeoutMs, query);
          return createWalk(entry, {
            send,
            organizationId: id,
            disposable: new Set(disposableDataSources),
            ...known,
          });
        }),
      ),
  );
}

type Query = Readonly<Record<string, string>>;

type WalkOf = {
  readonly send: (query: Query) => LoadRequest;
  readonly organizationId: string;
  /** Items that may be deleted while they are a cursor or a filter. */
  readonly disposable: ReadonlySet<string>;
  readonly sources: KnownSources;
  /** Whether this run deletes data sources, and the models of them with it. */
  readonly deletes: boolean;
  /** To be called with whether the first page of an organization has items. */
  readonly noteFirstPage: (organizationId: string, hasItems: boolean) => void;
  readonly unsent: FollowUps;
};

function createWalk(
  { operation, pages, filters }: ListEntry,
  { send, organizationId, disposable, sources, deletes, noteFirstPage, unsent }: WalkOf,
): ListWalk {
  let further: readonly PlannedRequest[] = [];
  let isFiltered = operation !== 'listModels' || !filters;
  const first = step({}, 1);

  function step(query: Query, page: number): PlannedRequest {
    let isRead = false;
    const created: PlannedRequest = {
      kind: 'request',
      request: { ...send(query), sure: page > 1 ? 'next page' : undefined },
      done(outcome, body = []) {
        // A cursor or a filter whose item is gone may be refused.
        if (isRefused(outcome)) further = further.filter((other) => other !== created);
        if (isRead || outcome !== 200) return;
        const answer = listAnswerOf(body);
        if (answer === undefined) return;
        const { items, nextCursor: cursor } = answer;
        isRead = true;
        if (created === first) noteFirstPage(organizationId, items.length > 0);
        if (operation === 'listDataSources') noteSources(sources, organizationId, items);
        if (page < pages && cursor !== undefined && isLasting(cursor, items)) add({ ...query, cursor }, page + 1);
      },
    };
    return created;
  }

  /** Whether the item of a cursor stays: no data source that may be deleted, and no model that goes with one. */
  function isLasting(cursor: string, items: readonly unknown[]): boolean {
    const item = items.find((one) => stringAt(one, 'id') === cursor);
    return !disposable.has(cursor) && !(deletes && disposable.has(stringAt(item, 'databaseConnectionId') ?? ''));
  }

  function add(query: Query, page: number): void {
    const request = step(query, page);
    further = [...further, request];
    const isFilter = 'databaseConnectionId' in query;
    unsent.add(page === 1 ? 'filter' : isFilter ? 'filtered page' : 'page', request);
  }

  function addFilters(): void {
    const known = sources.get(organizationId);
    if (isFiltered || known === undefined) return;
    isFiltered = true;
    const kept = [...known].filter((id) => !disposable.has(id)).slice(0, mostFilters);
    for (const databaseConnectionId of kept) add({ databaseConnectionId }, 1);
  }

  return {
    organizationId,
    addFilters,
    at(place) {
      addFilters();
      const index = Math.floor(((place - firstShare) / (1 - firstShare)) * further.length);
      return (place < firstShare ? undefined : further[index]) ?? first;
    },
  };
}

function isRefused(outcome: Outcome | 'unsent'): boolean {
  return typeof outcome === 'number' && outcome >= 400 && outcome < 500 && outcome !== 429;
}

export function isListEntry(entry: MixEntry): entry is ListEntry {
  return listOperations.some((operation) => operation === entry.operation);
}
