import type { Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';

/** A deleted data source that is still listed has its place in the list. */
const stillListed = { 'deleted-sources': ['deleted-at', 'is-deleted', 'status', 'gone-after-ten-seconds'] };

/** The ID of a deleted data source as cursor gives another part of the list. */
function afterDeletedCursor(part: 'beginning' | 'end'): Fault['alter'] {
  return (rules) => {
    const deleted = new Set<string>();
    return {
      onDeleted: ({ id }) => void deleted.add(id),
      cursorOutlivesItem: () => false,
      unknownCursor: (cursor, request) => (deleted.has(cursor) ? part : rules.unknownCursor(cursor, request)),
    };
  };
}

export const deletedCursorFaults = faultsOf({
  'delete.cursor-keeps-place': {
    'deleted-cursor-starts-over': {
      sentence: 'A cursor whose data source was deleted is not found, and is left out.',
      idle: stillListed,
      alter: afterDeletedCursor('beginning'),
    },
  },
  'delete.cursor-reaches-the-rest': {
    'deleted-cursor-ends-list': {
      sentence: 'A cursor whose data source was deleted selects the items that are older than nothing, which are none.',
      idle: stillListed,
      alter: afterDeletedCursor('end'),
    },
    'deleted-cursor-skips-one': {
      sentence:
        'The page after a deleted data source begins one item late: the offset after its place, where another now is.',
      idle: stillListed,
      alter: () => {
        const deleted = new Set<string>();
        return {
          onDeleted: ({ id }) => void deleted.add(id),
          pageStart: (start, { query }, items) => {
            const cursor = query.get('cursor')?.[0] ?? '';
            return deleted.has(cursor) && items.every(({ id }) => id !== cursor) ? start + 1 : start;
          },
        };
      },
    },
  },
});
