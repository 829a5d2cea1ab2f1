import { isFiltered, type Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { hasCursor, isWholePage, on, type When } from '../shared/requests.ts';

function hasLimit({ query }: Request): boolean {
  return query.has('limit');
}

/** Pages have another size than an accepted limit asks for. */
export function sized(size: (limit: number, request: Request) => number): Fault['alter'] {
  return () => ({ pageSize: (limit, request) => (hasLimit(request) ? size(limit, request) : limit) });
}

/** Without a limit, those pages have another size. */
function defaulting(size: number, when: When = () => true): Fault['alter'] {
  return (rules) => ({
    readLimit: (text, request) => (text === undefined && when(request) ? size : rules.readLimit(text, request)),
  });
}

/** A legal limit is refused. */
function refusing(refused: number): Fault['alter'] {
  return (rules) => ({
    limitInRange: (limit, request) => limit !== refused && rules.limitInRange(limit, request),
    limitInstead: (limit, request) => (limit === refused ? undefined : rules.limitInstead(limit, request)),
  });
}

export const listLimitFaults = faultsOf({
  'paging.limit-maximum': {
    'whole-page-times-out': {
      sentence: 'A page of 100 items takes longer than the proxy waits, which answers 504.',
      alter: () => ({ gatewayStatus: (request) => (isWholePage(request) ? 504 : undefined) }),
    },
    'limit-beyond-a-short-list': {
      sentence:
        'A limit of 100 is refused for a list of fewer than ten items, because it exceeds ten times their number.',
      alter: (rules) => {
        const lengths = new Map<string, number>();
        const nameOf = ({ operation, ids }: Request): string => `${operation} ${ids.organizationId}`;
        const count = <Kept>(items: readonly Kept[], request: Request): readonly Kept[] => {
          lengths.set(nameOf(request), items.length);
          return items;
        };
        const isBeyond = (limit: number, request: Request): boolean =>
          limit === 100 && (lengths.get(nameOf(request)) ?? limit) < 10;
        return {
          models: count,
          sources: count,
          limitInRange: (limit, request) => !isBeyond(limit, request) && rules.limitInRange(limit, request),
          limitInstead: (limit, request) => (isBeyond(limit, request) ? undefined : rules.limitInstead(limit, request)),
        };
      },
    },
    'limit-hundred-refused': {
      sentence: 'limit=100 is refused: < instead of <=.',
      alter: refusing(100),
    },
    'page-of-ninety-nine': {
      sentence: 'limit=100 returns 99 items, because one of 100 rows is read to calculate hasMore.',
      alter: sized((limit) => Math.min(99, limit)),
    },
  },
  'paging.limit': {
    'limit-above-64-refused': {
      sentence: 'A limit from 65 to 99 is refused by the gateway.',
      alter: (rules) => ({
        limitInRange: (limit, request) => !(limit > 64 && limit < 100) && rules.limitInRange(limit, request),
        limitInstead: (limit, request) => (limit > 64 && limit < 100 ? undefined : rules.limitInstead(limit, request)),
      }),
    },
    'limit-read-first': {
      sentence: 'Only the first parameter is read as the limit.',
      alter: sized((limit, { query }) => (query.keys().next().value === 'limit' ? limit : 50)),
    },
    'peeked-item-shown': {
      sentence: 'The additional item that is read to calculate hasMore is returned on the page.',
      alter: sized((limit) => limit + 1),
    },
    'limit-lost-after-page-one': {
      sentence: 'With a cursor, the limit is ignored and the default is used.',
      alter: sized((limit, request) => (hasCursor(request) ? 50 : limit)),
    },
    'later-pages-short': {
      sentence: 'Every page after the first has one item less than its limit.',
      alter: sized((limit, request) => (hasCursor(request) ? Math.max(1, limit - 1) : limit)),
    },
    'limit-lost-for-others': {
      sentence: 'With a cursor, the limit is ignored for every admin but one, and the default is used.',
      alter: sized((limit, request) => (hasCursor(request) && request.caller?.name !== 'alice' ? 50 : limit)),
    },
    'filtered-pages-of-20': {
      sentence: 'A filtered page has at most 20 items, whatever its limit.',
      alter: sized((limit, request) => (isFiltered(request) ? Math.min(limit, 20) : limit)),
    },
  },
  'paging.default-limit': {
    'default-limit-100-for-others': {
      sentence: 'Without a limit, every admin but one gets 100 items on a page.',
      alter: defaulting(100, ({ caller }) => caller?.name !== 'alice'),
    },
    'later-filtered-pages-of-20': {
      sentence: 'Without a limit, a filtered page after the first has 20 items.',
      idle: { models: ['0', '1', '3', '50', '51'] },
      alter: defaulting(20, (request) => isFiltered(request) && hasCursor(request)),
    },
    'default-limit-20': {
      sentence: 'Without a limit, a page has 20 items.',
      alter: defaulting(20),
    },
    'default-limit-100-for-sources': {
      sentence: 'Without a limit, a page of data sources has 100 items.',
      alter: defaulting(100, on('listDataSources')),
    },
    'limit-required-for-sources': {
      sentence: 'Listing data sources without a limit is refused, because its schema does not make limit optional.',
      alter: (rules) => ({
        ...defaulting(Number.NaN, on('listDataSources'))(rules),
        limitInstead: (limit, request) => (hasLimit(request) ? rules.limitInstead(limit, request) : undefined),
      }),
    },
    'limit-required-with-cursor': {
      sentence: 'A cursor without a limit is refused, because its schema describes both together.',
      alter: (rules) => ({
        ...defaulting(Number.NaN, hasCursor)(rules),
        limitInstead: (limit, request) => (hasLimit(request) ? rules.limitInstead(limit, request) : undefined),
      }),
    },
    'default-limit-100-after-cursor': {
      sentence: 'With a cursor, the default limit is 100.',
      alter: defaulting(100, hasCursor),
    },
    'default-limit-counts-deleted': {
      sentence:
        'After a deletion, a first page without limit has 49 data sources: it is cut before the deleted one is left out.',
      alter: () => {
        let isDeleted = false;
        return {
          onDeleted: () => {
            isDeleted = true;
          },
          pageSize: (limit, request) => {
            const isFirst = on('listDataSources')(request) && !hasLimit(request) && !hasCursor(request);
            return isFirst && isDeleted ? limit - 1 : limit;
          },
        };
      },
    },
    'filter-without-default-limit': {
      sentence: 'A filtered list has no default limit: without a limit, a page has up to 100 items.',
      alter: defaulting(100, isFiltered),
    },
  },
  'paging.limit-minimum': {
    'limit-one-refused': {
      sentence: 'limit=1 is refused: > instead of >=.',
      alter: refusing(1),
    },
    'limit-one-is-true': {
      sentence: 'limit=1 is read as true, and the default is used.',
      alter: sized((limit) => (limit === 1 ? 50 : limit)),
    },
  },
});
