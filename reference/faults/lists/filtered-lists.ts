import type { Fault } from '../../variation.ts';

/** A filtered list that pages in another way than the whole one. */
export const filteredPagingFaults: readonly Fault[] = [
  {
    name: 'filtered-pages-cut-short',
    breaks: 'paging.limit',
    sentence: 'The filter is applied after the page was cut, so filtered pages hold fewer items than asked for.',
    alter: (rules) => ({
      pageItems: (page, all, request) => {
        const whole = rules.pageItems(page, all, request);
        const cut = request.query.has('databaseConnectionId') && whole.length > 1 && whole.at(-1) !== all.at(-1);
        return cut ? whole.slice(0, -1) : whole;
      },
    }),
  },
  {
    name: 'filtered-has-more-when-full',
    breaks: 'paging.has-more',
    sentence: 'Under a filter hasMore says that the page is full, also when nothing follows.',
    alter: (rules) => ({
      hasMore: (end, total, size, request) =>
        rules.hasMore(end, total, size, request) ||
        (request.query.has('databaseConnectionId') && size > 0 && end % size === 0),
    }),
  },
  {
    name: 'filtered-has-more-of-all',
    breaks: 'paging.has-more',
    sentence: 'What follows the page is looked for without the filter, which only the query of the page itself has.',
    alter: (rules) => {
      let oldest: string | undefined;
      return {
        modelsOf: (own, foreign, request) => {
          const all = rules.modelsOf(own, foreign, request);
          oldest = rules.sequence(all, request).at(-1)?.id;
          return all;
        },
        nextCursor: (page, hasMore, following, request) => {
          const last = page.at(-1)?.id;
          const more = request.query.has('databaseConnectionId') && last !== undefined && last !== oldest;
          return more ? last : rules.nextCursor(page, hasMore, following, request);
        },
        pagination: (meta, request) => rules.pagination({ ...meta, hasMore: meta['nextCursor'] !== null }, request),
      };
    },
  },
  {
    name: 'filtered-oldest-first',
    breaks: 'paging.newest-first',
    sentence: 'A filtered list comes oldest first, as its index has it.',
    idle: { 'created-at': ['all-equal'] },
    alter: (rules) => ({
      sequence: (items, request) =>
        request.query.has('databaseConnectionId')
          ? rules.sequence(items, request).toReversed()
          : rules.sequence(items, request),
    }),
  },
];
