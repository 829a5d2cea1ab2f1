import { type Item, newestFirst } from '../../data/item.ts';
import type { Request } from '../../http/request.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { hasCursor, isSingle, on } from '../shared/requests.ts';
import { without } from '../shared/values.ts';

export const listFaults = faultsOf({
  'paging.envelope': {
    'list-under-items': {
      sentence: 'The list is in items, not in data.',
      alter: () => ({
        pageText: (records, meta) => `{"items":[${records}],"pagination":${JSON.stringify(meta)}}`,
      }),
    },
    'last-page-without-pagination': {
      sentence: 'The last page has no pagination object.',
      alter: (rules) => ({
        pageText: (records, meta) =>
          meta['hasMore'] === false ? `{"data":[${records}]}` : rules.pageText(records, meta),
      }),
    },
    'empty-list-null': {
      sentence: 'An empty list is returned as null.',
      alter: (rules) => ({
        pageText: (records, meta) =>
          records === '' ? `{"data":null,"pagination":${JSON.stringify(meta)}}` : rules.pageText(records, meta),
      }),
    },
  },
  'paging.meta-types': {
    'has-more-text': {
      sentence: 'hasMore is returned as the string "true" or "false".',
      alter: () => ({ pagination: (meta) => ({ ...meta, hasMore: String(meta['hasMore']) }) }),
    },
    'last-cursor-absent': {
      sentence: 'On the last page, nextCursor is missing instead of null.',
      alter: () => ({ pagination: (meta) => (meta['nextCursor'] === null ? without(meta, 'nextCursor') : meta) }),
    },
  },
  'paging.has-more': {
    'full-last-page-has-more': {
      sentence: 'hasMore is true for every full page, even for the last one.',
      alter: () => ({ hasMore: (end, total, size) => end < total || (size > 0 && end > 0 && end % size === 0) }),
    },
    'full-default-page-has-more': {
      sentence: 'Without limit and cursor, hasMore is true for a page of 50 items, even if the list has no others.',
      alter: (rules) => ({
        hasMore: (end, total, size, request) =>
          rules.hasMore(end, total, size, request) ||
          (end === 50 && !request.query.has('limit') && !request.query.has('cursor')),
      }),
    },
    'has-more-from-total': {
      sentence: 'hasMore is true if the list is longer than one page, even on its last page.',
      alter: () => ({ hasMore: (_end, total, size) => total > size }),
    },
  },
  'paging.cursor-null': {
    'cursor-on-last-page': {
      sentence: 'The last page has a nextCursor although hasMore is false.',
      alter: () => ({ nextCursor: (page) => page.at(-1)?.id ?? null }),
    },
    'cursor-on-last-page-of-one': {
      sentence: 'A last page of one item has a nextCursor although hasMore is false.',
      alter: (rules) => ({
        nextCursor: (page, hasMore, following, request) =>
          isSingle(request) && hasCursor(request)
            ? (page.at(-1)?.id ?? null)
            : rules.nextCursor(page, hasMore, following, request),
      }),
    },
    'source-pages-without-cursor': {
      sentence: 'nextCursor of a page of data sources is null although hasMore is true.',
      alter: (rules) => ({
        nextCursor: (page, hasMore, following, request) =>
          on('listDataSources')(request) ? null : rules.nextCursor(page, hasMore, following, request),
      }),
    },
  },
  'paging.any-id-is-cursor': {
    'cursor-kept-as-offset': {
      sentence: 'A cursor is kept as an offset when it is issued, so after a deletion before it an item is left out.',
      idle: {
        sources: ['0', '1', '3'],
        'deleted-sources': ['deleted-at', 'is-deleted', 'status', 'gone-after-ten-seconds'],
      },
      alter: () => {
        const offsets = new Map<string, number>();
        const nameOf = ({ operation, ids, query }: Request, id: string | undefined) =>
          JSON.stringify([operation, ids.organizationId, query.get('databaseConnectionId'), id]);
        return {
          pageItems: (shown, request, items) => {
            const end = items.findIndex(({ id }) => id === shown.at(-1)?.id) + 1;
            if (end > 0) offsets.set(nameOf(request, items[end - 1]?.id), end);
            return shown;
          },
          pageStart: (start, request) => offsets.get(nameOf(request, request.query.get('cursor')?.[0])) ?? start,
        };
      },
    },
  },
  'paging.cursor-is-last-id': {
    'next-cursor-is-the-last-row': {
      sentence:
        'nextCursor names the last row that was read for the page, even if it is a deleted one behind its items.',
      idle: { sources: ['0', '1', '3'] },
      alter: (rules) => {
        const deleted = new Set<string>();
        let rows: readonly Item[] = [];
        return {
          onDeleted: ({ id }) => void deleted.add(id),
          sources: (all) => (rows = all),
          nextCursor: (page, hasMore, following, request) => {
            const cursor = rules.nextCursor(page, hasMore, following, request);
            if (cursor === null || request.operation !== 'listDataSources') return cursor;
            const behind = rows.slice(rows.findIndex(({ id }) => id === cursor) + 1);
            const end = behind.findIndex(({ id }) => !deleted.has(id));
            return behind.slice(0, Math.max(0, end)).at(-1)?.id ?? cursor;
          },
        };
      },
    },
    'cursor-is-next-item': {
      sentence: 'nextCursor is the ID of the first item of the next page, and a page begins with its cursor.',
      alter: () => ({
        nextCursor: (_page, hasMore, following) => (hasMore ? (following?.id ?? null) : null),
        pageStart: (following) => following - 1,
      }),
    },
    'cursor-in-base64': {
      sentence: 'nextCursor is an opaque string that contains the ID.',
      alter: (rules) => ({
        nextCursor: (page, hasMore, following, request) => {
          const id = rules.nextCursor(page, hasMore, following, request);
          return id === null ? null : `c_${Buffer.from(id).toString('base64url')}`;
        },
        cursor: (text) => (text.startsWith('c_') ? Buffer.from(text.slice(2), 'base64url').toString() : text),
      }),
    },
  },
  'paging.walk': {
    'cursor-inclusive': {
      sentence: 'A page begins with the item of its cursor: <= instead of <.',
      alter: () => ({ pageStart: (following) => following - 1 }),
    },
    'single-items-in-batches': {
      sentence:
        'Pages of one item are read in batches of 20, and each batch begins with the last item of the one before.',
      alter: () => ({
        pageStart: (following, request) =>
          following > 0 && following % 20 === 0 && isSingle(request) ? following - 1 : following,
      }),
    },
    'single-items-in-batches-of-50': {
      sentence:
        'Pages of one item are read in batches of 50, and each batch begins with the last item of the one before.',
      idle: { models: ['0', '1', '3', '50', '51'], sources: ['0', '1', '3', '50', '51'] },
      alter: () => ({
        pageStart: (following, request) =>
          following > 0 && following % 50 === 0 && isSingle(request) ? following - 1 : following,
      }),
    },
    'ties-skipped-at-border': {
      sentence: 'A page begins after all items with the creation time of the cursor, so some items are skipped.',
      idle: { 'created-at': ['distinct'] },
      alter: () => ({
        pageStart: (following, _request, items) => {
          const createdAtMs = items[following - 1]?.createdAtMs;
          let start = following;
          while (start < items.length && items[start]?.createdAtMs === createdAtMs) start += 1;
          return start;
        },
      }),
    },
    'ties-reorder': {
      sentence: 'The order of items with the same creation time changes with every request.',
      idle: { 'created-at': ['distinct'] },
      alter: () => ({
        sequence: (items, { turn }) =>
          turn % 2 === 0
            ? items
            : items.toSorted((left, right) =>
                left.createdAtMs === right.createdAtMs ? newestFirst(right, left) : newestFirst(left, right),
              ),
      }),
    },
    'item-lost-past-the-middle': {
      sentence: 'A page in the second half of a list skips one item, because it is counted from the other end.',
      alter: () => ({
        pageStart: (start, _request, items) => (2 * start > items.length ? start + 1 : start),
      }),
    },
  },
  'paging.newest-first': {
    'oldest-first': {
      sentence: 'Lists are ordered oldest first.',
      idle: { 'created-at': ['all-equal'] },
      alter: () => ({ sequence: (items) => items.toReversed() }),
    },
    'sources-by-name': {
      sentence: 'Data sources are ordered by name, descending.',
      idle: { 'created-at': ['all-equal'] },
      alter: () => ({
        sequence: (items, request) =>
          on('listDataSources')(request)
            ? items.toSorted((left, right) =>
                String(right.record['displayName']).localeCompare(String(left.record['displayName'])),
              )
            : items,
      }),
    },
    'two-swapped-deep-in': {
      sentence: 'Two items on the last page are in the wrong order.',
      idle: { 'created-at': ['all-equal'] },
      alter: () => ({
        sequence: (items) => {
          const place = Math.min(110, items.length - 2);
          const [left, right] = [items[place], items[place + 1]];
          return left === undefined || right === undefined ? items : items.with(place, right).with(place + 1, left);
        },
      }),
    },
  },
});
