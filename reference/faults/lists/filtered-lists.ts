import type { Item } from '../../data/item.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { isFiltered } from '../../http/request.ts';
import { isSingle } from '../shared/requests.ts';

/** Filtered lists of models that are paged through in another way than the whole list. */
export const filteredListFaults = faultsOf({
  'paging.limit': {
    'filtered-pages-cut-short': {
      sentence: 'The filter is applied after the page was cut, so a filtered page has fewer items than its limit.',
      alter: () => ({
        pageItems: (page, request, all) =>
          isFiltered(request) && page.length > 1 && page.at(-1) !== all.at(-1) ? page.slice(0, -1) : page,
      }),
    },
  },
  'paging.cursor-is-last-id': {
    'filtered-cursor-is-first-of-two': {
      sentence: 'Under a filter, nextCursor of a page of two items is the ID of the first.',
      idle: { models: ['0', '1', '3'] },
      alter: (rules) => ({
        nextCursor: (page, hasMore, following, request) =>
          hasMore && isFiltered(request) && page.length === 2
            ? (page[0]?.id ?? null)
            : rules.nextCursor(page, hasMore, following, request),
      }),
    },
    'filtered-cursor-in-capitals': {
      sentence: 'Under a filter, nextCursor is in capitals, as the search index stores IDs.',
      idle: { ids: ['number'] },
      alter: (rules) => ({
        nextCursor: (page, hasMore, following, request) => {
          const cursor = rules.nextCursor(page, hasMore, following, request);
          return isFiltered(request) ? (cursor?.toUpperCase() ?? null) : cursor;
        },
      }),
    },
  },
  'paging.walk': {
    'filtered-single-is-oldest': {
      sentence: 'Under a filter, a page of one item is read from the other end of the index.',
      alter: () => ({
        pageItems: (page, request, all) =>
          isFiltered(request) && isSingle(request) && !request.query.has('cursor') ? all.slice(-1) : page,
      }),
    },
    'filtered-single-is-of-any-source': {
      sentence: 'A first page of one item is found by a shorter query, which lacks the filter.',
      alter: () => {
        let newest: Item | undefined;
        return {
          models: (all) => {
            newest = all[0];
            return all;
          },
          pageItems: (page, request) =>
            isFiltered(request) && isSingle(request) && !request.query.has('cursor') && newest !== undefined
              ? [newest]
              : page,
        };
      },
    },
    'filtered-pages-skip-equal-times': {
      sentence:
        'Under a filter, a page continues with older items, and skips those with the creation time of the cursor.',
      idle: { 'created-at': ['distinct'] },
      alter: () => ({
        pageStart(start, request, items) {
          const at = items[start - 1]?.createdAtMs;
          const older = items.findIndex(({ createdAtMs }, place) => place >= start && createdAtMs !== at);
          return !isFiltered(request) ? start : older < 0 ? items.length : older;
        },
      }),
    },
    'filtered-equal-times-turned': {
      sentence: 'Under a filter, pages after a cursor have items of the same creation time in reverse order.',
      idle: { 'created-at': ['distinct'] },
      alter: () => ({
        sequence: (items, request) =>
          isFiltered(request) && request.query.has('cursor')
            ? items.toSorted((one, other) => other.createdAtMs - one.createdAtMs || (one.id < other.id ? 1 : -1))
            : items,
      }),
    },
    'filtered-newest-is-no-cursor': {
      sentence: 'Under a filter, the newest item has position 0, which is treated as no cursor.',
      alter: () => ({ pageStart: (start, request) => (isFiltered(request) && start === 1 ? 0 : start) }),
    },
  },
  'paging.cursor-null': {
    'filtered-cursor-on-last-page': {
      sentence: 'Under a filter, the last page has a nextCursor although hasMore is false.',
      alter: (rules) => ({
        nextCursor: (page, hasMore, following, request) =>
          isFiltered(request) ? (page.at(-1)?.id ?? null) : rules.nextCursor(page, hasMore, following, request),
      }),
    },
  },
  'paging.has-more': {
    'filtered-has-more-when-full': {
      sentence: 'Under a filter, hasMore is true for every full page, even for the last one.',
      alter: (rules) => ({
        hasMore: (end, total, size, request) =>
          rules.hasMore(end, total, size, request) || (isFiltered(request) && size > 0 && end % size === 0),
      }),
    },
    'filtered-list-of-two-pages': {
      sentence: 'Under a filter, the page behind a cursor is always the last one.',
      alter: (rules) => ({
        hasMore: (end, total, size, request) =>
          rules.hasMore(end, total, size, request) && !(isFiltered(request) && request.query.has('cursor')),
      }),
    },
    'filtered-has-more-of-all': {
      sentence: 'Under a filter, hasMore and nextCursor are calculated without the filter.',
      alter: (rules) => {
        let oldest: string | undefined;
        return {
          models: (all) => {
            oldest = all.at(-1)?.id;
            return all;
          },
          nextCursor: (page, hasMore, following, request) => {
            const last = page.at(-1)?.id;
            const more = isFiltered(request) && last !== undefined && last !== oldest;
            return more ? last : rules.nextCursor(page, hasMore, following, request);
          },
          pagination: (meta) => ({ ...meta, hasMore: meta['nextCursor'] !== null }),
        };
      },
    },
  },
  'paging.newest-first': {
    'filtered-oldest-first': {
      sentence: 'A filtered list is ordered oldest first.',
      idle: { 'created-at': ['all-equal'] },
      alter: () => ({ sequence: (items, request) => (isFiltered(request) ? items.toReversed() : items) }),
    },
  },
});
