import { faultsOf } from '../shared/faults-of.ts';

/** Faults of cursors that are refused though they name an item. */
export const spentCursorFaults = faultsOf({
  'paging.any-id-is-cursor': {
    'cursor-works-once': {
      sentence: 'A cursor is forgotten when it is used, and refused the second time.',
      alter: () => {
        const used = new Set<string>();
        return {
          cursor: (text, { caller, operation, ids }) => {
            const name = JSON.stringify([caller?.name, operation, ids.organizationId, text]);
            if (used.has(name)) return `used: ${text}`;
            used.add(name);
            return text;
          },
        };
      },
    },
    'cursor-lapses': {
      sentence: 'A cursor is kept for 20 seconds from when a page first gave it, and refused after that.',
      alter: () => {
        const givenAt = new Map<string, number>();
        let now = 0;
        return {
          received(request) {
            now = request.at;
            return request;
          },
          pagination(meta) {
            const { nextCursor } = meta;
            if (typeof nextCursor === 'string' && !givenAt.has(nextCursor)) givenAt.set(nextCursor, now);
            return meta;
          },
          cursor: (text) => (now > (givenAt.get(text) ?? now) + 20_000 ? `lapsed: ${text}` : text),
        };
      },
    },
    'no-page-after-the-last-source': {
      sentence: 'The ID of the last data source as cursor is answered 500: the query for what follows expects a row.',
      idle: { sources: ['0', '1', '3'] },
      alter: () => {
        let last: string | undefined;
        return {
          pageStart: (start, { operation }, items) => {
            if (operation === 'listDataSources') last = items.at(-1)?.id;
            return start;
          },
          status: (status, { operation, query }) =>
            operation === 'listDataSources' && last !== undefined && query.get('cursor')?.[0] === last ? 500 : status,
        };
      },
    },
  },
});
