import { newestFirst } from '../../data/item.ts';
import type { Fault } from '../../variation.ts';
import { without } from '../shared/records.ts';

export const pagingFaults: readonly Fault[] = [
  {
    name: 'list-under-items',
    breaks: 'paging.envelope',
    sentence: 'The list is called items, not data.',
    alter: () => ({
      pageText: (records, meta) => `{"items":[${records}],"pagination":${JSON.stringify(meta)}}`,
    }),
  },
  {
    name: 'last-page-without-pagination',
    breaks: 'paging.envelope',
    sentence: 'The last page has no pagination object.',
    alter: (rules) => ({
      pageText: (records, meta) =>
        meta['hasMore'] === false ? `{"data":[${records}]}` : rules.pageText(records, meta),
    }),
  },
  {
    name: 'empty-list-null',
    breaks: 'paging.envelope',
    sentence: 'An empty list is null, as an uninitialised slice is.',
    alter: (rules) => ({
      pageText: (records, meta) =>
        records === '' ? `{"data":null,"pagination":${JSON.stringify(meta)}}` : rules.pageText(records, meta),
    }),
  },
  {
    name: 'has-more-text',
    breaks: 'paging.meta-types',
    sentence: 'hasMore is the text "true" or "false".',
    alter: (rules) => ({
      pagination: (meta, request) => ({ ...rules.pagination(meta, request), hasMore: String(meta['hasMore']) }),
    }),
  },
  {
    name: 'last-cursor-absent',
    breaks: 'paging.meta-types',
    sentence: 'On the last page nextCursor is left out in place of null.',
    alter: (rules) => ({
      pagination: (meta, request) =>
        meta['nextCursor'] === null
          ? without(rules.pagination(meta, request), 'nextCursor')
          : rules.pagination(meta, request),
    }),
  },
  {
    name: 'full-last-page-has-more',
    breaks: 'paging.has-more',
    sentence: 'hasMore says that the page is full, also when nothing follows.',
    alter: () => ({ hasMore: (end, total, size) => end < total || (size > 0 && end > 0 && end % size === 0) }),
  },
  {
    name: 'has-more-from-total',
    breaks: 'paging.has-more',
    sentence: 'hasMore says that the list is longer than a page, also on its last one.',
    alter: () => ({ hasMore: (_end, total, size) => total > size }),
  },
  {
    name: 'cursor-on-last-page',
    breaks: 'paging.cursor-null',
    sentence: 'The last page has a nextCursor although hasMore is false.',
    alter: () => ({ nextCursor: (page) => page.at(-1)?.id ?? null }),
  },
  {
    name: 'source-pages-without-cursor',
    breaks: 'paging.cursor-null',
    sentence: 'nextCursor of the data sources is null although more follow.',
    alter: (rules) => ({
      nextCursor: (page, hasMore, following, request) =>
        request.operation === 'listDataSources' ? null : rules.nextCursor(page, hasMore, following, request),
    }),
  },
  {
    name: 'cursor-is-next-item',
    breaks: 'paging.cursor-is-last-id',
    sentence: 'nextCursor is the ID of the first item of the next page, and a cursor is where a page begins.',
    alter: () => ({
      nextCursor: (_page, hasMore, following) => (hasMore ? (following?.id ?? null) : null),
      pageStart: (following) => following - 1,
    }),
  },
  {
    name: 'cursor-in-base64',
    breaks: 'paging.cursor-is-last-id',
    sentence: 'nextCursor is an opaque text with the ID inside.',
    alter: (rules) => ({
      nextCursor: (page, hasMore, following, request) => {
        const id = rules.nextCursor(page, hasMore, following, request);
        return id === null ? null : `c_${Buffer.from(id).toString('base64url')}`;
      },
      readCursor: (text) => (text.startsWith('c_') ? Buffer.from(text.slice(2), 'base64url').toString() : text),
    }),
  },
  {
    name: 'cursor-inclusive',
    breaks: 'paging.walk',
    sentence: 'A page begins with the item that its cursor names, a <= in place of a <.',
    alter: () => ({ pageStart: (following) => following - 1 }),
  },
  {
    name: 'single-items-in-batches',
    breaks: 'paging.walk',
    sentence:
      'Pages of one item are served from batches of twenty, each of which begins with the end of the one before.',
    alter: () => ({
      pageStart: (following, _items, { query }) =>
        following > 0 && following % 20 === 0 && query.get('limit')?.[0] === '1' ? following - 1 : following,
    }),
  },
  {
    name: 'ties-skipped-at-border',
    breaks: 'paging.walk',
    sentence: 'A page begins with the first item that is older than the cursor: its equals in age are lost.',
    idle: { 'created-at': ['distinct'] },
    alter: () => ({
      pageStart: (following, items) => {
        const createdAtMs = items[following - 1]?.createdAtMs;
        let start = following;
        while (start < items.length && items[start]?.createdAtMs === createdAtMs) start += 1;
        return start;
      },
    }),
  },
  {
    name: 'ties-reorder',
    breaks: 'paging.walk',
    sentence: 'Items of one creation time come in another order at every second request, as the database likes.',
    idle: { 'created-at': ['distinct'] },
    alter: () => ({
      sequence: (items, request) =>
        request.turn % 2 === 0
          ? items
          : items.toSorted((left, right) =>
              left.createdAtMs === right.createdAtMs ? newestFirst(right, left) : newestFirst(left, right),
            ),
    }),
  },
  {
    name: 'item-lost-past-the-middle',
    breaks: 'paging.walk',
    sentence: 'A page that begins past the middle of a list begins one too late: there it is read from the other end.',
    alter: (rules) => ({
      pageStart: (following, items, request) =>
        rules.pageStart(following, items, request) + (2 * following > items.length ? 1 : 0),
    }),
  },
  {
    name: 'oldest-first',
    breaks: 'paging.newest-first',
    sentence: 'Items come oldest first.',
    idle: { 'created-at': ['all-equal'] },
    alter: () => ({ sequence: (items) => items.toReversed() }),
  },
  {
    name: 'sources-by-name',
    breaks: 'paging.newest-first',
    sentence: 'Data sources come by their names, the last name first.',
    idle: { 'created-at': ['all-equal'] },
    alter: () => ({
      sequence: (items, request) =>
        request.operation === 'listDataSources'
          ? items.toSorted((left, right) =>
              String(right.record['displayName']).localeCompare(String(left.record['displayName'])),
            )
          : items,
    }),
  },
  {
    name: 'two-swapped-deep-in',
    breaks: 'paging.newest-first',
    sentence: 'Two items on the last page stand in the wrong order.',
    idle: { 'created-at': ['all-equal'] },
    alter: () => ({
      sequence: (items) => {
        const place = Math.min(110, items.length - 2);
        const [left, right] = [items[place], items[place + 1]];
        return left === undefined || right === undefined ? items : items.with(place, right).with(place + 1, left);
      },
    }),
  },
  {
    name: 'unknown-cursor-500',
    breaks: 'paging.unknown-cursor',
    sentence: 'A cursor that nobody issued ends in an exception.',
    alter: (rules) => ({
      unknownCursor: () => 'refuse',
      refusalStatus: (kind, request) => (kind === 'unknownCursor' ? 500 : rules.refusalStatus(kind, request)),
    }),
  },
  {
    name: 'empty-cursor-500',
    breaks: 'paging.unknown-cursor',
    sentence: 'An empty cursor, as a client sends that has none yet, ends in an exception.',
    alter: (rules) => ({
      unknownCursor: (cursor, request) => (cursor === '' ? 'refuse' : rules.unknownCursor(cursor, request)),
      refusalStatus: (kind, request) =>
        kind === 'unknownCursor' && request.query.get('cursor')?.[0] === '' ? 500 : rules.refusalStatus(kind, request),
    }),
  },
  {
    name: 'cursor-outside-filter-500',
    breaks: 'paging.unknown-cursor',
    sentence: 'A cursor is looked for among what the filter finds; one of another data source ends in an exception.',
    alter: (rules) => ({
      cursorOutlivesItem: (request) => !request.query.has('databaseConnectionId') && rules.cursorOutlivesItem(request),
      unknownCursor: (cursor, request) =>
        request.query.has('databaseConnectionId') ? 'refuse' : rules.unknownCursor(cursor, request),
      refusalStatus: (kind, request) =>
        kind === 'unknownCursor' && request.query.has('databaseConnectionId')
          ? 500
          : rules.refusalStatus(kind, request),
    }),
  },
];
