import type { Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
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
  'models.filter': {
    'page-cache-without-filter': {
      sentence: 'Pages are cached for half a second, and the filter is not part of the key.',
      alter: cachedWithout('filter'),
    },
  },
});
