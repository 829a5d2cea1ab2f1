import type { Fault } from '../../variation.ts';
import { withoutTwins } from '../shared/without-twins.ts';

export const cursorFaults: readonly Fault[] = [
  {
    name: 'only-issued-cursors',
    breaks: 'paging.any-id-is-cursor',
    sentence: 'Only cursors that were handed out before are known.',
    alter: (rules) => {
      const issued = new Set<string>();
      return {
        nextCursor: (page, hasMore, following, request) => {
          const cursor = rules.nextCursor(page, hasMore, following, request);
          if (cursor !== null) issued.add(cursor);
          return cursor;
        },
        readCursor: (text) => (issued.has(text) ? text : `never issued: ${text}`),
      };
    },
  },
  {
    name: 'newest-id-is-no-cursor',
    breaks: 'paging.any-id-is-cursor',
    sentence: 'The place of the newest item is 0, which is taken for no cursor at all.',
    alter: (rules) => ({
      pageStart: (following, items, request) => (following === 1 ? 0 : rules.pageStart(following, items, request)),
    }),
  },
  {
    name: 'nothing-follows-the-last-but-one',
    breaks: 'paging.any-id-is-cursor',
    sentence: 'The last item is not looked for, a < length - 1 in place of a < length.',
    alter: (rules) => ({
      pageStart: (following, items, request) =>
        following === items.length - 1 ? items.length : rules.pageStart(following, items, request),
    }),
  },
  {
    name: 'page-border-counted-twice',
    breaks: 'paging.any-id-is-cursor',
    sentence: 'After the 50th item, where the next block of the cache begins, one item is passed over.',
    idle: { models: ['0', '1', '3', '50'], sources: ['0', '1', '3', '50'] },
    alter: (rules) => ({
      pageStart: (following, items, request) => rules.pageStart(following, items, request) + (following === 50 ? 1 : 0),
    }),
  },
  {
    name: 'cursor-ignores-case',
    breaks: 'paging.any-id-is-cursor',
    sentence: 'The column of IDs is compared without regard to case, and of two alike the newer is found.',
    idle: withoutTwins,
    alter: () => ({ cursorNames: (item, cursor) => item.id.toLowerCase() === cursor.toLowerCase() }),
  },
  {
    name: 'next-cursor-is-a-number',
    breaks: 'paging.cursor-is-last-id',
    sentence: 'nextCursor is the number of items so far, which is not even taken for a cursor.',
    alter: (rules) => ({
      nextCursor: (page, hasMore, following, request) => {
        const id = rules.nextCursor(page, hasMore, following, request);
        return id === null ? null : String(page.length);
      },
    }),
  },
  {
    name: 'later-pages-fail-in-long-lists',
    breaks: 'paging.walk',
    sentence: 'In an organization with more than a hundred items every page after the first one ends in an exception.',
    idle: { models: ['0', '1', '3', '50', '51', '100'], sources: ['0', '1', '3', '50', '51', '100'] },
    alter: (rules) => {
      let isLong = false;
      return {
        hasMore: (end, total, size, request) => {
          isLong = total > 100;
          return rules.hasMore(end, total, size, request);
        },
        listStatus: (request) => (isLong && request.query.has('cursor') ? 500 : rules.listStatus(request)),
      };
    },
  },
  {
    name: 'more-of-other-organizations',
    breaks: 'paging.has-more',
    sentence:
      'Whether more follows is asked of the table, without the organization: who has not the oldest rows is sent on to an empty page.',
    alter: (rules) => {
      let most = 0;
      return {
        hasMore: (end, total, size, request) => {
          most = Math.max(most, total);
          const areOthersOlder = total < most && end > 0 && !request.query.has('databaseConnectionId');
          return rules.hasMore(end, total, size, request) || (areOthersOlder && !request.query.has('cursor'));
        },
      };
    },
  },
  {
    name: 'later-pages-too-long-to-be-written',
    breaks: 'paging.walk',
    sentence:
      'Pages behind a cursor that deep in a list of more than a hundred are written as null: they do not fit a buffer.',
    idle: { models: ['0', '1', '3', '50', '51', '100'], sources: ['0', '1', '3', '50', '51', '100'] },
    alter: (rules) => {
      let isLong = false;
      return {
        hasMore: (end, total, size, request) => {
          isLong = total > 100;
          return rules.hasMore(end, total, size, request);
        },
        bodyText: (text, status, request) =>
          isLong && status === 200 && request.query.has('cursor') ? 'null' : rules.bodyText(text, status, request),
      };
    },
  },
  {
    name: 'cursor-of-deleted-500',
    breaks: 'delete.cursor-no-5xx',
    sentence: 'The creation time of what the cursor names is read without a look whether it is still there.',
    // Of 101 that stay listed the deleted one may end a page, so that the list itself cannot be read any more.
    idle: { 'cursor-of-deleted': ['unknown'], sources: ['101'] },
    alter: (rules) => {
      const deleted = new Set<string>();
      return {
        mayDeleteSource: (isAdmin, request) => {
          deleted.add(request.ids.sourceId);
          return rules.mayDeleteSource(isAdmin, request);
        },
        listStatus: (request) =>
          deleted.has(request.query.get('cursor')?.[0] ?? '') ? 500 : rules.listStatus(request),
      };
    },
  },
  {
    name: 'deleted-take-places',
    breaks: 'paging.has-more',
    sentence: 'What was deleted is taken out of a page after its items were counted.',
    // Where more follows what was deleted, the page is too short there, which is paging.limit; where few items are, nothing shows.
    idle: { 'created-at': ['all-equal'], models: ['0', '1', '3'], sources: ['0', '1', '51', '100', '101'] },
    alter: (rules) => {
      const deleted = new Set<string>();
      return {
        deletedListed: (item) => {
          deleted.add(item.id);
          return true;
        },
        pageItems: (page, all, request) => rules.pageItems(page, all, request).filter(({ id }) => !deleted.has(id)),
      };
    },
  },
  {
    name: 'more-counts-deleted',
    breaks: 'paging.has-more',
    sentence: 'hasMore compares with a total that counts deleted data sources too.',
    alter: (rules) => {
      const deleted = new Set<string>();
      return {
        deletedListed: (item, deletedAt, request) => {
          deleted.add(item.id);
          return rules.deletedListed(item, deletedAt, request);
        },
        hasMore: (end, total, size, request) =>
          rules.hasMore(end, request.operation === 'listDataSources' ? total + deleted.size : total, size, request),
      };
    },
  },
];
