import type { Fault } from '../../variation.ts';

export const pagingLimitFaults: readonly Fault[] = [
  {
    name: 'whole-page-times-out',
    breaks: 'paging.limit-maximum',
    sentence: 'A page of 100 takes longer than the proxy waits, which answers 504.',
    alter: () => ({ gatewayStatus: (request) => (request.query.get('limit')?.[0] === '100' ? 504 : undefined) }),
  },
  {
    name: 'peeked-item-shown',
    breaks: 'paging.limit',
    sentence: 'The one item more that is fetched to see whether there are more is not cut off.',
    alter: () => ({ pageSize: (limit) => limit + 1 }),
  },
  {
    name: 'limit-lost-after-page-one',
    breaks: 'paging.limit',
    sentence: 'With a cursor the limit is forgotten and the default taken.',
    alter: (rules) => ({
      pageSize: (limit, request) =>
        request.query.has('cursor') ? rules.defaultLimit(request) : rules.pageSize(limit, request),
    }),
  },
  {
    name: 'later-pages-short',
    breaks: 'paging.limit',
    sentence: 'From the second page on a page holds one item less than the limit.',
    alter: (rules) => ({
      pageSize: (limit, request) =>
        request.query.has('cursor') ? Math.max(1, limit - 1) : rules.pageSize(limit, request),
    }),
  },
  {
    name: 'filtered-pages-of-20',
    breaks: 'paging.limit',
    sentence: 'The query of a filtered list gives 20 at the most, whatever the limit.',
    alter: (rules) => ({
      pageSize: (limit, request) =>
        Math.min(rules.pageSize(limit, request), request.query.has('databaseConnectionId') ? 20 : 100),
    }),
  },
  {
    name: 'default-limit-20',
    breaks: 'paging.default-limit',
    sentence: 'Without a limit a page holds 20 items.',
    alter: () => ({ defaultLimit: () => 20 }),
  },
  {
    name: 'default-limit-100-for-sources',
    breaks: 'paging.default-limit',
    sentence: 'Without a limit the list of data sources gives as many as it may.',
    alter: (rules) => ({
      defaultLimit: (request) => (request.operation === 'listDataSources' ? 100 : rules.defaultLimit(request)),
    }),
  },
  {
    name: 'limit-required-for-sources',
    breaks: 'paging.default-limit',
    sentence: 'The list of data sources is refused without a limit, which its schema does not say may be left out.',
    alter: (rules) => ({
      limitMayBeLeftOut: (request) => request.operation !== 'listDataSources' && rules.limitMayBeLeftOut(request),
    }),
  },
  {
    name: 'default-limit-100-after-cursor',
    breaks: 'paging.default-limit',
    sentence: 'The query behind a cursor has a default of its own, 100.',
    alter: (rules) => ({
      defaultLimit: (request) => (request.query.has('cursor') ? 100 : rules.defaultLimit(request)),
    }),
  },
  {
    name: 'filter-without-default-limit',
    breaks: 'paging.default-limit',
    sentence: 'The query of a filtered list has no default: without a limit it gives as many as it may.',
    alter: (rules) => ({
      defaultLimit: (request) => (request.query.has('databaseConnectionId') ? 100 : rules.defaultLimit(request)),
    }),
  },
  {
    name: 'limit-runs-over',
    breaks: 'paging.limit-cap',
    sentence:
      'A limit is cast to 32 bits before it is checked against 100: what runs over is negative, which stands for none.',
    alter: (rules) => ({ limitInRange: (limit, request) => limit >= 2 ** 31 || rules.limitInRange(limit, request) }),
  },
  {
    name: 'limit-too-large-is-none',
    breaks: 'paging.limit-cap',
    sentence: 'A limit that no integer of 64 bits holds cannot be parsed, and what was not parsed is no limit.',
    alter: (rules) => ({ limitInRange: (limit, request) => limit >= 2 ** 63 || rules.limitInRange(limit, request) }),
  },
  {
    name: 'limit-one-refused',
    breaks: 'paging.limit-minimum',
    sentence: 'limit=1 is refused, a > in place of a >=.',
    alter: (rules) => ({
      limitInRange: (limit, request) => limit !== 1 && rules.limitInRange(limit, request),
      limitInstead: (limit, request) => (limit === 1 ? undefined : rules.limitInstead(limit, request)),
    }),
  },
  {
    name: 'limit-one-is-true',
    breaks: 'paging.limit-minimum',
    sentence: 'limit=1 is read as true, and the default taken.',
    alter: (rules) => ({ pageSize: (limit, request) => (limit === 1 ? 50 : rules.pageSize(limit, request)) }),
  },
  {
    name: 'limit-hundred-refused',
    breaks: 'paging.limit-maximum',
    sentence: 'limit=100 is refused, a < in place of a <=.',
    alter: (rules) => ({
      limitInRange: (limit, request) => limit !== 100 && rules.limitInRange(limit, request),
      limitInstead: (limit, request) => (limit === 100 ? undefined : rules.limitInstead(limit, request)),
    }),
  },
  {
    name: 'page-of-ninety-nine',
    breaks: 'paging.limit-maximum',
    sentence: 'limit=100 gives 99 items, because one of the hundred rows that are read is the look ahead.',
    alter: (rules) => ({ pageSize: (limit, request) => Math.min(99, rules.pageSize(limit, request)) }),
  },
  {
    name: 'limit-without-maximum',
    breaks: 'paging.limit-cap',
    sentence: 'A limit above 100 is taken at its word.',
    alter: (rules) => ({
      limitInstead: (limit, request) => (limit > 100 ? limit : rules.limitInstead(limit, request)),
    }),
  },
  {
    name: 'limit-zero-is-all',
    breaks: 'paging.limit-cap',
    sentence: 'limit=0 means no limit, and the whole list comes.',
    alter: (rules) => ({
      limitInstead: (limit, request) => (limit === 0 ? 1_000_000 : rules.limitInstead(limit, request)),
    }),
  },
  {
    name: 'limit-text-is-all',
    breaks: 'paging.limit-cap',
    sentence: 'A limit that is no number becomes NaN, and nothing is less than NaN: the whole list comes.',
    alter: (rules) => ({
      limitInstead: (limit, request) => (Number.isNaN(limit) ? 1_000_000 : rules.limitInstead(limit, request)),
    }),
  },
  {
    name: 'limit-clamped-without-error',
    breaks: 'paging.limit-refused',
    sentence: 'A limit out of range is bent to the nearest bound without a word.',
    alter: () => ({ limitInstead: (limit) => (Number.isNaN(limit) ? 50 : Math.min(100, Math.max(1, limit))) }),
  },
  {
    name: 'limit-wraps-around',
    breaks: 'paging.limit-refused',
    sentence: 'A limit is read as a long and cast to an int, so that 4294967297 is 1.',
    alter: (rules) => ({
      readLimit: (text, request) => {
        const limit = rules.readLimit(text, request);
        return Number.isNaN(limit) ? limit : limit | 0;
      },
    }),
  },
];
