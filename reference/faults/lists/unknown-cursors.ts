import { isFiltered } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { refusedWith } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { on, type When } from '../shared/requests.ts';

/** A cursor that names no item of the list causes an exception. */
function failing(when: When): Fault['alter'] {
  return (rules) => ({
    unknownCursor: (cursor, request) => (when(request) ? 'refuse' : rules.unknownCursor(cursor, request)),
    ...refusedWith(500, 'unknownCursor', when)(rules),
  });
}

function hasCursorThat(is: (cursor: string) => boolean): When {
  return ({ query }) => {
    const cursor = query.get('cursor')?.[0];
    return cursor !== undefined && is(cursor);
  };
}

export const unknownCursorFaults = faultsOf({
  'paging.unknown-cursor': {
    'unknown-cursor-500': {
      sentence: 'An unknown cursor causes an exception.',
      alter: failing(() => true),
    },
    'empty-cursor-500': {
      sentence: 'An empty cursor causes an exception.',
      alter: failing(hasCursorThat((cursor) => cursor === '')),
    },
    'long-cursor-500': {
      sentence: 'A cursor that is longer than its column causes an exception.',
      alter: failing(hasCursorThat(({ length }) => length > 255)),
    },
    'nul-cursor-500': {
      sentence: 'The database rejects NUL in a cursor, which causes an exception.',
      alter: failing(hasCursorThat((cursor) => cursor.includes('\0'))),
    },
    'cursor-of-other-list-500': {
      sentence: 'A cursor that is the ID of a model causes an exception in the list of data sources.',
      // In such a deployment, a model and a data source may have the same ID.
      idle: { ids: ['per-organization'] },
      alter: (rules) => {
        const models = new Set<string>();
        const isModel = hasCursorThat((cursor) => models.has(cursor));
        return {
          modelShown: (record) => {
            models.add(String(record['id']));
            return record;
          },
          ...failing((request) => on('listDataSources')(request) && isModel(request))(rules),
        };
      },
    },
    'cursor-outside-filter-500': {
      sentence: 'Under a filter, a cursor with the ID of an item that does not match the filter causes an exception.',
      alter: (rules) => ({
        cursorOutlivesItem: (request) => !isFiltered(request) && rules.cursorOutlivesItem(request),
        ...failing(isFiltered)(rules),
      }),
    },
  },
});
