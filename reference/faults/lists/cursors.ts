import type { Request } from '../../http/request.ts';
import type { Rules } from '../../rules/rules.ts';
import type { Altered, Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { withoutTwins } from '../shared/idle.ts';
import { hasCursor, on } from '../shared/requests.ts';

const shortLists = ['0', '1', '3', '50', '51', '100'];

/** Something goes wrong in lists of more than a hundred items. */
function inLongLists(alter: (isLong: () => boolean, rules: Rules) => Altered): Fault['alter'] {
  return (rules) => {
    let isLong = false;
    return {
      hasMore: (end, total, size, request) => {
        isLong = total > 100;
        return rules.hasMore(end, total, size, request);
      },
      ...alter(() => isLong, rules),
    };
  };
}

export const cursorFaults = faultsOf({
  'paging.any-id-is-cursor': {
    'cursor-read-last': {
      sentence: 'Only the last parameter is read as the cursor.',
      alter: () => ({
        pageStart: (start, { query }) => ([...query.keys()].at(-1) === 'cursor' ? start : 0),
      }),
    },
    'cursor-brings-its-filter': {
      sentence: 'A cursor keeps the filter of the page that it was issued with.',
      alter: (rules) => {
        const filters = new Map<string, string>();
        return {
          nextCursor: (page, hasMore, following, request) => {
            const cursor = rules.nextCursor(page, hasMore, following, request);
            const [filter] = request.query.get('databaseConnectionId') ?? [];
            if (cursor !== null && filter !== undefined) filters.set(cursor, filter);
            return cursor;
          },
          filter: (id, { query }) => id ?? filters.get(query.get('cursor')?.[0] ?? ''),
        };
      },
    },
    'cursor-in-the-last-result': {
      sentence:
        'A cursor is looked up in the last result of its caller, so a list begins again when the filter changes.',
      alter: () => {
        const latest = new Map<string, string | undefined>();
        const listOf = ({ caller, operation, ids }: Request) => `${caller?.name} ${operation} ${ids.organizationId}`;
        const filterOf = ({ query }: Request) => query.get('databaseConnectionId')?.[0];
        return {
          pageStart: (start, request) => (latest.get(listOf(request)) === filterOf(request) ? start : 0),
          pageItems: (items, request) => {
            latest.set(listOf(request), filterOf(request));
            return items;
          },
        };
      },
    },
    'only-issued-cursors': {
      sentence: 'Only cursors that were returned before are accepted.',
      alter: (rules) => {
        const issued = new Set<string>();
        return {
          nextCursor: (page, hasMore, following, request) => {
            const cursor = rules.nextCursor(page, hasMore, following, request);
            if (cursor !== null) issued.add(cursor);
            return cursor;
          },
          cursor: (text) => (issued.has(text) ? text : `never issued: ${text}`),
        };
      },
    },
    'cursor-of-its-first-caller': {
      sentence: 'A cursor is kept with the session that received it, and another admin begins the list again.',
      alter: () => {
        const callers = new Map<string, string | undefined>();
        return {
          pageItems: (shown, { caller }) => {
            for (const { id } of shown) callers.set(id, callers.get(id) ?? caller?.name);
            return shown;
          },
          pageStart: (start, { caller, query }) =>
            callers.get(query.get('cursor')?.[0] ?? '') === caller?.name ? start : 0,
        };
      },
    },
    'cursors-of-one-organization': {
      sentence: 'The index of cursors holds one organization, the first that needs it; elsewhere a list begins again.',
      alter: () => {
        const first = new Map<string | undefined, string>();
        return {
          pageStart: (start, { ids: { organizationId }, operation }) => {
            const indexed = first.get(operation) ?? organizationId;
            first.set(operation, indexed);
            return indexed === organizationId ? start : 0;
          },
        };
      },
    },
    'cursor-of-word-characters': {
      sentence: 'A cursor with a character other than letters, digits, _ and - is refused by a pattern.',
      idle: { ids: ['uuid', 'number', 'per-organization'] },
      alter: () => ({ cursor: (text) => (/^[\w-]+$/.test(text) ? text : `refused: ${text}`) }),
    },
    'newest-id-is-no-cursor': {
      sentence: 'The newest item has position 0, which is treated as no cursor.',
      alter: () => ({ pageStart: (start) => (start === 1 ? 0 : start) }),
    },
    'nothing-follows-the-last-but-one': {
      sentence: 'The last item is never searched: < length - 1 instead of < length.',
      alter: () => ({
        pageStart: (start, _request, items) => (start === items.length - 1 ? items.length : start),
      }),
    },
    'oldest-not-behind-a-cursor': {
      sentence: 'Behind a cursor the oldest model is left out, also of the order and the count of the list.',
      idle: { models: ['0', '1'] },
      alter: () => ({ models: (all, { query }) => (query.has('cursor') ? all.slice(0, -1) : all) }),
    },
    'page-border-counted-twice': {
      sentence: 'One item is skipped after the 50th, where the next block of the cache begins.',
      idle: { models: ['0', '1', '3', '50'], sources: ['0', '1', '3', '50'] },
      alter: () => ({ pageStart: (start) => (start === 50 ? 51 : start) }),
    },
    'positions-kept-after-deletions': {
      sentence: 'After a deletion the index of positions is stale, and a page after a cursor begins one item late.',
      idle: { sources: ['0', '1', '3'] },
      alter: () => {
        let isStale = false;
        return {
          onDeleted: () => (isStale = true),
          pageStart: (start) => (isStale && start > 0 ? start + 1 : start),
        };
      },
    },
    'cursor-ignores-case': {
      sentence: 'IDs are compared without regard to case, so a cursor may find the wrong one of two similar IDs.',
      idle: withoutTwins,
      alter: () => ({ cursorNames: (item, cursor) => item.id.toLowerCase() === cursor.toLowerCase() }),
    },
  },
  'paging.cursor-is-last-id': {
    'next-cursor-is-a-number': {
      sentence: 'nextCursor is the number of items on the page and is not accepted as a cursor.',
      alter: (rules) => ({
        nextCursor: (page, hasMore, following, request) =>
          rules.nextCursor(page, hasMore, following, request) === null ? null : String(page.length),
      }),
    },
  },
  'paging.walk': {
    'later-pages-fail-in-long-lists': {
      sentence: 'In lists of more than 100 items, every page after the first fails with an exception.',
      idle: { models: shortLists, sources: shortLists },
      alter: inLongLists((isLong, rules) => ({
        readStatus: (request) => (isLong() && hasCursor(request) ? 500 : rules.readStatus(request)),
      })),
    },
    'later-pages-too-long-to-be-written': {
      sentence: 'In lists of more than 100 items, every page after the first exceeds a buffer and is returned as null.',
      idle: { models: shortLists, sources: shortLists },
      alter: inLongLists((isLong) => ({
        bodyText: (text, request, status) => (isLong() && status === 200 && hasCursor(request) ? 'null' : text),
      })),
    },
  },
  'delete.cursor-no-5xx': {
    'cursor-of-deleted-500': {
      sentence: 'The creation time of the cursor is read without checking that its item still exists.',
      // Of 101 that stay listed, the deleted one may end a page. Then the list itself cannot be read any more.
      idle: { 'cursor-of-deleted': ['unknown'], sources: ['101'] },
      alter: (rules) => {
        const deleted = new Set<string>();
        return {
          allowed: (roles, request) => {
            if (on('deleteDataSource')(request)) deleted.add(request.ids.sourceId);
            return rules.allowed(roles, request);
          },
          readStatus: (request) =>
            deleted.has(request.query.get('cursor')?.[0] ?? '') ? 500 : rules.readStatus(request),
        };
      },
    },
  },
});
