import type { Item } from '../../data/item.ts';
import type { JsonObject } from '../../http/json.ts';
import { refusedWith } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { set } from '../shared/values.ts';

function neighbour(record: JsonObject, all: readonly Item[]): JsonObject {
  return all.find(({ id }) => id !== record['id'])?.record ?? record;
}

/** The answer to a deletion has another record, or none. */
export const deletionRecordFaults = faultsOf({
  'delete.record': {
    'deletion-without-record': {
      sentence: 'A deletion is answered with {"deleted": true}.',
      alter: () => ({ deleteAnswer: () => ({ deleted: true }) }),
    },
    'unsynced-deleted-without-record': {
      sentence: 'The deletion of a data source that was never synchronized is answered with data: null.',
      alter: (rules) => ({
        deleteAnswer: (record, request) =>
          record['hasCompletedFirstSync'] === false ? { data: null } : rules.deleteAnswer(record, request),
      }),
    },
    'deletion-shows-neighbour': {
      sentence: 'A deletion is answered with the newest remaining data source.',
      alter: () => ({ deletedRecord: (record, _request, all) => neighbour(record, all) }),
    },
    'deletion-id-ends-at-dot': {
      sentence: 'The router takes what follows a dot for the format, so a data source with a dot in its ID is unknown.',
      idle: { ids: ['uuid', 'number', 'per-organization', 'slash', 'space', 'percent', 'unicode', 'reserved', 'long'] },
      alter: () => ({ sourceId: (id) => id.split('.')[0] ?? id }),
    },
    'second-deletion-200-error': {
      sentence: 'A second deletion is answered 200 with an error in the body.',
      idle: { 'second-delete': ['again'] },
      alter: refusedWith(200, 'alreadyDeleted'),
    },
  },
  'delete.record-types': {
    'deletion-record-raw': {
      sentence: 'The record in the answer to a deletion is the raw database row, with numbers instead of booleans.',
      alter: () => ({ deletedRecord: set({ sslEnabled: 1, isDemo: 0, port: '5432' }) }),
    },
    'every-third-deletion-record-raw': {
      sentence: 'One of three copies answers a deletion with the raw database row, with numbers instead of booleans.',
      idle: { sources: ['0', '1', '3'] },
      alter: () => {
        let deletions = 0;
        return {
          deletedRecord: (source) => {
            deletions += 1;
            return deletions % 3 === 0 ? { ...source, sslEnabled: 1 } : source;
          },
        };
      },
    },
    'deletion-record-date': {
      sentence: "updatedAt in the answer to a deletion is the time in the server's local format.",
      alter: () => ({ deletedRecord: set({ updatedAt: 'Thu Jan 15 2026 12:00:00 GMT+0100' }) }),
    },
  },
});
