import type { Item } from '../../data/item.ts';
import type { JsonObject } from '../../http/json.ts';
import type { Fault } from '../../variation.ts';
import { refusedWith, undeleted } from '../shared/alterations.ts';
import { hasCursor, isFiltered } from '../shared/requests.ts';
import { set } from '../shared/values.ts';

function neighbour(record: JsonObject, all: readonly Item[]): JsonObject {
  return all.find(({ id }) => id !== record['id'])?.record ?? record;
}

/** How long a replica is busy with a request, in milliseconds. */
const busyMs = 1;

export const deletionFaults: readonly Fault[] = [
  {
    name: 'deletion-without-record',
    breaks: 'delete.record',
    sentence: 'A deletion is answered with {"deleted": true}.',
    alter: () => ({ deleteAnswer: () => ({ deleted: true }) }),
  },
  {
    name: 'deletion-shows-neighbour',
    breaks: 'delete.record',
    sentence: 'A deletion is answered with the newest remaining data source.',
    alter: () => ({ deletedRecord: (record, _request, all) => neighbour(record, all) }),
  },
  {
    name: 'deletion-record-raw',
    breaks: 'delete.record-types',
    sentence: 'The record in the answer to a deletion is the raw database row, with numbers in place of booleans.',
    alter: () => ({ deletedRecord: set({ sslEnabled: 1, isDemo: 0, port: '5432' }) }),
  },
  {
    name: 'deletion-record-date',
    breaks: 'delete.record-types',
    sentence: "updatedAt in the answer to a deletion is the time in the server's local format.",
    alter: () => ({ deletedRecord: set({ updatedAt: 'Thu Jan 15 2026 12:00:00 GMT+0100' }) }),
  },
  {
    name: 'deletion-forgotten',
    breaks: 'delete.gone-or-marked',
    sentence: 'A deletion is answered with success but does nothing.',
    alter: () => ({ deletes: () => [] }),
  },
  {
    name: 'deletion-undone-by-sync',
    breaks: 'delete.gone-or-marked',
    sentence: 'The next synchronisation, two seconds later, restores a deleted data source.',
    idle: { 'server-time': ['hour-ahead'] }, // The mark names the time of the deletion.
    alter: undeleted((_id, { at }, deletedAt) => at - deletedAt >= 2000),
  },
  {
    name: 'replica-missed-deletion',
    breaks: 'delete.gone-or-marked',
    sentence: 'A second replica, used while the first one is busy, never receives deletions.',
    alter: (rules) => {
      let busy = { at: Number.NaN, turn: 0 };
      return undeleted((_id, { at, turn }) => {
        if (!(at - busy.at < busyMs)) busy = { at, turn };
        return turn !== busy.turn;
      })(rules);
    },
  },
  {
    name: 'deleted-back-on-later-pages',
    breaks: 'delete.gone-or-marked',
    sentence: 'Pages after the first still list deleted data sources, without a mark.',
    alter: undeleted((_id, request) => hasCursor(request)),
  },
  {
    name: 'neighbour-deleted-too',
    breaks: 'delete.others-untouched',
    sentence: 'A deletion also deletes the next data source in the list.',
    alter: () => ({
      deletes: ([source, ...rest], _request, all) => {
        if (source === undefined) return rest;
        const place = all.indexOf(source);
        const next = all[place + 1] ?? all[place - 1];
        return [source, ...rest, ...(next === undefined ? [] : [next])];
      },
    }),
  },
  {
    name: 'others-renamed-after-deletion',
    breaks: 'delete.others-untouched',
    sentence: 'After a deletion, another data source has a wrong name, because a cache identifies them by position.',
    alter: () => {
      let isMoved = false;
      return {
        onDeleted: () => {
          isMoved = true;
        },
        sourceShown: (record, _request, { index, total }) =>
          isMoved && index === Math.min(60, total - 1) ? { ...record, displayName: 'Source 0' } : record,
      };
    },
  },
  {
    name: 'unknown-deletion-pretended',
    breaks: 'delete.unknown',
    sentence: 'Deleting a data source that does not exist is answered as a success.',
    alter: (rules) => ({
      refusalStatus: (kind, request) =>
        kind === 'unknownSource' ? rules.deleteStatus(request) : rules.refusalStatus(kind, request),
      errorBody: (error, kind, request) =>
        kind === 'unknownSource'
          ? rules.deleteAnswer({ id: request.ids.sourceId }, request)
          : rules.errorBody(error, kind, request),
    }),
  },
  {
    name: 'unknown-deletion-200',
    breaks: 'delete.unknown',
    sentence: 'Deleting a data source that does not exist is answered 200 with an error in the body.',
    alter: refusedWith(200, 'unknownSource'),
  },
  {
    name: 'models-outlive-their-source',
    breaks: 'delete.models-removed',
    sentence: 'The cleanup job never runs.',
    alter: () => ({ cleanupRemoves: () => false }),
  },
  {
    name: 'filter-finds-what-was-cleaned-up',
    breaks: 'delete.models-removed',
    sentence: 'The models of a deleted data source are hidden from the whole list, but the filter still finds them.',
    alter: (rules) => ({
      filterKnown: (where, request) => where === 'deleted' || rules.filterKnown(where, request),
      cleanupRemoves: (model, request) => !isFiltered(request) && rules.cleanupRemoves(model, request),
    }),
  },
  {
    name: 'unknown-deletion-500',
    breaks: 'delete.unknown-no-5xx',
    sentence: 'Deleting a data source that does not exist causes an exception.',
    alter: refusedWith(500, 'unknownSource'),
  },
  {
    name: 'second-deletion-500',
    breaks: 'delete.twice-no-5xx',
    sentence: 'The second deletion of a data source causes an exception.',
    alter: (rules) => ({ secondDelete: () => 'refuse', ...refusedWith(500, 'alreadyDeleted')(rules) }),
  },
];
