import type { Request } from '../../http/request.ts';
import type { JsonObject } from '../../http/json.ts';
import type { Fault } from '../../variation.ts';

const neighbour = (
  record: JsonObject,
  all: readonly { readonly id: string; readonly record: JsonObject }[],
): JsonObject => all.find(({ id }) => id !== record['id'])?.record ?? record;

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
    sentence: 'A deletion is answered with the newest data source that is left.',
    alter: () => ({ deletedRecord: (record, all) => neighbour(record, all) }),
  },
  {
    name: 'deletion-record-raw',
    breaks: 'delete.record-types',
    sentence: 'The record in the answer to a deletion is the raw row, its flags as numbers.',
    alter: (rules) => ({
      deletedRecord: (record, all, request) => ({
        ...rules.deletedRecord(record, all, request),
        sslEnabled: 1,
        isDemo: 0,
        port: '5432',
      }),
    }),
  },
  {
    name: 'deletion-record-date',
    breaks: 'delete.record-types',
    sentence: 'updatedAt in the answer to a deletion is the moment of it, in the language of the server.',
    alter: (rules) => ({
      deletedRecord: (record, all, request) => ({
        ...rules.deletedRecord(record, all, request),
        updatedAt: 'Thu Jan 15 2026 12:00:00 GMT+0100',
      }),
    }),
  },
  {
    name: 'deletion-forgotten',
    breaks: 'delete.gone-or-marked',
    sentence: 'A deletion is answered well and does nothing.',
    alter: () => ({ deletes: () => [] }),
  },
  {
    name: 'deletion-undone-by-sync',
    breaks: 'delete.gone-or-marked',
    sentence: 'The next synchronisation, two seconds later, brings a deleted data source back.',
    idle: { 'server-time': ['hour-ahead'] }, // The mark names the instant of the deletion.
    alter: (rules) => ({
      deletedListed: (source, deletedAt, request) =>
        request.at - deletedAt >= 2000 || rules.deletedListed(source, deletedAt, request),
      deletedMark: (record, deletedAt, request) =>
        request.at - Date.parse(deletedAt) >= 2000 ? record : rules.deletedMark(record, deletedAt, request),
    }),
  },
  {
    name: 'replica-missed-deletion',
    breaks: 'delete.gone-or-marked',
    sentence: 'A second replica, which is asked while the first one is busy, never hears of a deletion.',
    alter: (rules) => {
      let busy = { at: Number.NaN, turn: 0 };
      const isAsked = ({ at, turn }: Request): boolean => {
        if (!(at - busy.at < busyMs)) busy = { at, turn };
        return turn !== busy.turn;
      };
      return {
        deletedListed: (source, deletedAt, request) =>
          isAsked(request) || rules.deletedListed(source, deletedAt, request),
        deletedMark: (record, deletedAt, request) =>
          isAsked(request) ? record : rules.deletedMark(record, deletedAt, request),
      };
    },
  },
  {
    name: 'deleted-back-on-later-pages',
    breaks: 'delete.gone-or-marked',
    sentence: 'Pages behind a cursor still list deleted data sources, unmarked.',
    alter: (rules) => ({
      deletedListed: (source, deletedAt, request) =>
        request.query.has('cursor') || rules.deletedListed(source, deletedAt, request),
      deletedMark: (record, deletedAt, request) =>
        request.query.has('cursor') ? record : rules.deletedMark(record, deletedAt, request),
    }),
  },
  {
    name: 'neighbour-deleted-too',
    breaks: 'delete.others-untouched',
    sentence: 'The data source next to the deleted one goes with it.',
    alter: (rules) => ({
      deletes: (source, all, request) => {
        const place = all.indexOf(source);
        const next = all[place + 1] ?? all[place - 1];
        return [...rules.deletes(source, all, request), ...(next === undefined ? [] : [next])];
      },
    }),
  },
  {
    name: 'others-renamed-after-deletion',
    breaks: 'delete.others-untouched',
    sentence: 'After a deletion another data source has another name, from a cache that counts places.',
    alter: (rules) => {
      let deletions = 0;
      return {
        deleteStatus: (request) => {
          deletions += 1;
          return rules.deleteStatus(request);
        },
        sourceShown: (record, place, request) => {
          const shown = rules.sourceShown(record, place, request);
          return deletions > 0 && place.index === Math.min(60, place.total - 1)
            ? { ...shown, displayName: 'Source 0' }
            : shown;
        },
      };
    },
  },
  {
    name: 'unknown-deletion-pretended',
    breaks: 'delete.unknown',
    sentence: 'Deleting what does not exist succeeds: no row is not checked for.',
    alter: () => ({ unknownDelete: () => 'pretend' }),
  },
  {
    name: 'unknown-deletion-200',
    breaks: 'delete.unknown',
    sentence: 'Deleting what does not exist is answered 200 with an error in its body.',
    alter: (rules) => ({
      refusalStatus: (kind, request) => (kind === 'unknownSource' ? 200 : rules.refusalStatus(kind, request)),
    }),
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
    sentence: 'The models over a deleted data source are hidden from the whole list, and the filter still finds them.',
    alter: (rules) => ({
      filterKnown: (where, request) => where === 'deleted' || rules.filterKnown(where, request),
      cleanupRemoves: (model, request) =>
        !request.query.has('databaseConnectionId') && rules.cleanupRemoves(model, request),
    }),
  },
  {
    name: 'unknown-deletion-500',
    breaks: 'delete.unknown-no-5xx',
    sentence: 'Deleting what does not exist ends in an exception.',
    alter: (rules) => ({
      refusalStatus: (kind, request) => (kind === 'unknownSource' ? 500 : rules.refusalStatus(kind, request)),
    }),
  },
  {
    name: 'second-deletion-500',
    breaks: 'delete.twice-no-5xx',
    sentence: 'The second deletion of a data source ends in an exception.',
    alter: (rules) => ({
      secondDelete: () => 'refuse',
      refusalStatus: (kind, request) => (kind === 'alreadyDeleted' ? 500 : rules.refusalStatus(kind, request)),
    }),
  },
];
