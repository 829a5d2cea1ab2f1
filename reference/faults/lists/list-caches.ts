import { hash } from '../../../core/hash.ts';
import { isFiltered, type Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { undeleted } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { on } from '../shared/requests.ts';

/** How long a cache keeps a page, in milliseconds. */
const keptMs = 500;

/** The parts of a request for a list that make a page its own. */
const parts = {
  organization: ({ ids }: Request) => ids.organizationId,
  limit: ({ query }: Request) => query.get('limit')?.[0],
  cursor: ({ query }: Request) => query.get('cursor')?.[0],
  filter: ({ query }: Request) => query.get('databaseConnectionId')?.[0],
} as const;

/** Pages are cached for a moment, and the key of the cache lacks a part. */
function cachedWithout(lacking: keyof typeof parts): Fault['alter'] {
  const keyed = Object.entries(parts).filter(([name]) => name !== lacking);
  return () => {
    const pages = new Map<string, { readonly at: number; readonly text: string }>();
    return {
      bodyText: (text, request, status) => {
        const isList = on('listModels')(request) || on('listDataSources')(request);
        if (!isList || status !== 200) return text;
        const key = JSON.stringify([request.operation, ...keyed.map(([, part]) => part(request) ?? '')]);
        const known = pages.get(key);
        if (known !== undefined && request.at < known.at + keptMs) return known.text;
        pages.set(key, { at: request.at, text });
        return text;
      },
    };
  };
}

/** A request for a list that has the key and the instant of another one, and what `placeOf` gives, gets something of that one. */
function besideOthers(
  mixed: (request: Request, beside: Request) => Request,
  placeOf: (request: Request) => string = () => '',
): Fault['alter'] {
  return () => {
    const latest = new Map<string, Request>();
    return {
      received(request) {
        if (!on('listModels')(request) && !on('listDataSources')(request)) return request;
        const caller = `${request.operation} ${request.headers['authorization']} ${placeOf(request)}`;
        const beside = latest.get(caller);
        if (beside?.at === request.at) return mixed(request, beside);
        latest.set(caller, request);
        return request;
      },
    };
  };
}

export const listCacheFaults = faultsOf({
  'paging.limit': {
    'short-list-ignores-limit': {
      sentence: 'A list of fewer than ten data sources is in a cache, which shows it whole whatever the limit is.',
      idle: { sources: ['0', '1', '3'] },
      alter: () => {
        let length = 0;
        return {
          sources: (own) => {
            length = own.length;
            return own;
          },
          pageSize: (limit, request) => (on('listDataSources')(request) && length < 10 ? 10 : limit),
        };
      },
    },
    'page-cache-without-limit': {
      sentence: 'Pages are cached for half a second, and the limit is not part of the key.',
      alter: cachedWithout('limit'),
    },
  },
  'paging.walk': {
    'query-of-the-request-beside': {
      sentence:
        'The query is kept with the session, so of two requests of a key at once, one gets the page of the other.',
      alter: besideOthers((request, beside) => ({ ...request, query: beside.query })),
    },
    'filter-of-the-request-beside': {
      sentence: 'The filter is a field of the handler, so of two requests at once, one gets the models of the other.',
      alter: besideOthers((request, beside) => {
        const own = [...request.query].filter(([name]) => name !== 'databaseConnectionId');
        const others = [...beside.query].filter(([name]) => name === 'databaseConnectionId');
        return { ...request, query: new Map([...own, ...others]) };
      }),
    },
    'limit-of-the-request-beside': {
      sentence:
        'The limit of a page is kept with its list, so of two requests for the first page at once, one gets the limit of the other.',
      idle: { sources: ['0', '1'], 'rate-window': ['spaced'] },
      alter: besideOthers(
        (request, beside) => {
          const limit = beside.query.get('limit');
          return limit === undefined ? request : { ...request, query: new Map([...request.query, ['limit', limit]]) };
        },
        ({ ids, query }) => `${ids.organizationId} ${query.has('cursor')}`,
      ),
    },
    'organization-of-the-request-beside': {
      sentence:
        'The organization is a field of the handler, so of two requests at once, one gets the list of the other.',
      alter: besideOthers((request, beside) => ({ ...request, ids: beside.ids })),
    },
    'page-empty-until-read': {
      sentence: 'Each page is loaded into a cache when it is first read, and that first answer shows the empty cache.',
      alter: () => {
        const loaded = new Map<string, number>();
        const unlessFirst = <Kept>(items: readonly Kept[], request: Request): readonly Kept[] => {
          const key = JSON.stringify([request.operation, ...Object.values(parts).map((part) => part(request) ?? '')]);
          if (!loaded.has(key)) loaded.set(key, request.turn);
          return loaded.get(key) === request.turn ? [] : items;
        };
        return { sequence: unlessFirst };
      },
    },
    'page-cache-without-cursor': {
      sentence: 'Pages are cached for half a second, and the cursor is not part of the key.',
      alter: cachedWithout('cursor'),
    },
  },
  'models.organization': {
    'page-cache-without-organization': {
      sentence: 'Pages are cached for half a second, and the organization is not part of the key.',
      alter: cachedWithout('organization'),
    },
  },
  'delete.models-removed': {
    'filtered-pages-kept-for-a-minute': {
      sentence: 'A filtered page is cached for a minute, and a deletion removes only other pages from the cache.',
      alter: () => {
        const pages = new Map<string, { readonly at: number; readonly text: string }>();
        const nameOf = ({ caller, path, query }: Request) => JSON.stringify([caller?.name, path, ...query]);
        const keptOf = (request: Request) => {
          const page = pages.get(nameOf(request));
          return page !== undefined && request.at < page.at + 60_000 ? page : undefined;
        };
        return {
          status: (status, request) => (keptOf(request) === undefined ? status : 200),
          bodyText: (text, request, status) => {
            const kept = keptOf(request);
            if (kept !== undefined) return kept.text;
            if (isFiltered(request) && status === 200) pages.set(nameOf(request), { at: request.at, text });
            return text;
          },
        };
      },
    },
  },
  'delete.gone-or-marked': {
    'other-admins-see-the-deleted': {
      sentence:
        'Only the admin who listed an organization first sees that a data source is deleted; others do so while they share the cached page.',
      idle: { sources: ['0', '1'] }, // The organization with two admins has none to spare.
      alter: (rules) => {
        const pages = new Map<string, { readonly at: number; readonly text: string }>();
        const firsts = new Map<string, string>();
        return {
          sources(items, { ids, caller }) {
            if (!firsts.has(ids.organizationId)) firsts.set(ids.organizationId, caller?.name ?? '');
            return items;
          },
          onDeleted: () => pages.clear(),
          ...undeleted((_id, { caller, ids }) => caller?.name !== firsts.get(ids.organizationId))(rules),
          bodyText: (text, request, status) => {
            if (!on('listDataSources')(request) || status !== 200) return text;
            const key = JSON.stringify([request.path, ...request.query]);
            const known = pages.get(key);
            if (known !== undefined && request.at < known.at + keptMs) return known.text;
            pages.set(key, { at: request.at, text });
            return text;
          },
        };
      },
    },
    'idle-callers-see-the-deleted': {
      sentence:
        'Who sent nothing for three and a half seconds is first shown an old list, with the deleted data sources.',
      idle: { sources: ['0', '1'] }, // The organization with two admins has none to spare.
      alter: (rules) => {
        const usedAt = new Map<string, number>();
        let idleTurn = 0;
        return {
          received(request) {
            const caller = request.headers['authorization'] ?? '';
            const idleMs = request.at - (usedAt.get(caller) ?? request.at);
            if (on('listDataSources')(request) && idleMs > 3500) idleTurn = request.turn;
            usedAt.set(caller, request.at);
            return request;
          },
          ...undeleted((_id, { turn }) => turn === idleTurn)(rules),
        };
      },
    },
    'later-deletions-clear-own-pages': {
      sentence:
        'The first deletion clears the cache of lists; later ones clear only the pages that their caller has read.',
      idle: { sources: ['0', '1', '3'] },
      alter: () => {
        const pages = new Map<string, string>();
        let isFirst = true;
        return {
          onDeleted(_item, { caller }) {
            for (const name of pages.keys()) if (isFirst || name.startsWith(`["${caller?.name}"`)) pages.delete(name);
            isFirst = false;
          },
          bodyText: (text, request, status) => {
            if (!on('listDataSources')(request) || status !== 200) return text;
            const name = JSON.stringify([request.caller?.name, request.path, ...request.query]);
            const known = pages.get(name) ?? text;
            pages.set(name, known);
            return known;
          },
        };
      },
    },
    'entity-tag-of-the-path': {
      sentence: 'The entity tag of a list is computed from its URL, so a client that asks again is sent 304 for good.',
      alter: (rules) => {
        const tagOf = ({ path, query }: Request): string =>
          JSON.stringify(hash(JSON.stringify([path, ...query])).toString(36));
        const isKnown = (request: Request): boolean => request.headers['if-none-match'] === tagOf(request);
        return {
          headers: (status, request) => ({
            ...rules.headers(status, request),
            ...(on('listDataSources')(request) && status < 400 ? { etag: tagOf(request) } : {}),
          }),
          status: (status, request) => (status === 200 && isKnown(request) ? 304 : status),
          bodyText: (text, _request, status) => (status === 304 ? '' : text),
        };
      },
    },
    'plain-page-kept': {
      sentence:
        'The page without any parameter is rendered once, when it is first read, and a deletion does not renew it.',
      idle: { sources: ['0', '1', '3'] },
      alter: () => {
        const pages = new Map<string, string>();
        return {
          bodyText: (text, request, status) => {
            if (!on('listDataSources')(request) || status !== 200 || request.query.size > 0) return text;
            const name = JSON.stringify([request.caller?.name, request.path]);
            const known = pages.get(name) ?? text;
            pages.set(name, known);
            return known;
          },
        };
      },
    },
  },
  'models.filter': {
    'page-cache-without-filter': {
      sentence: 'Pages are cached for half a second, and the filter is not part of the key.',
      alter: cachedWithout('filter'),
    },
  },
});
