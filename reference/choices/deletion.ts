import type { Choice } from '../variation.ts';
import { refusedWith } from './refused-with.ts';

/** Lists deleted data sources too, which must then be marked. */
const listed = { deletedListed: () => true } as const;

export const deletionChoices: readonly Choice[] = [
  {
    axis: 'deleted-sources',
    section: '4.6',
    sentence: 'Whether a deleted data source is still listed, and how it is marked.',
    default: 'gone',
    values: {
      gone: {},
      'deleted-at': {
        alter: () => ({ ...listed, deletedMark: (record, deletedAt) => ({ ...record, deletedAt }) }),
      },
      'is-deleted': {
        alter: () => ({ ...listed, deletedMark: (record) => ({ ...record, isDeleted: true }) }),
      },
      status: {
        alter: () => ({ ...listed, deletedMark: (record) => ({ ...record, status: 'DELETED' }) }),
      },
      'gone-after-ten-seconds': {
        alter: () => ({
          deletedListed: (_source, deletedAt, { operation, at }) =>
            operation === 'listDataSources' && at < deletedAt + 10_000,
        }),
      },
      'gone-but-marked-in-answer': {
        alter: () => ({ deletedMark: (record, deletedAt) => ({ ...record, deletedAt, deleted: true }) }),
      },
    },
  },
  {
    axis: 'delete-status',
    section: '4.6',
    sentence: 'The success status of a deletion.',
    default: '200',
    values: {
      '200': {},
      '202': { alter: () => ({ deleteStatus: () => 202 }) },
    },
  },
  {
    axis: 'second-delete',
    section: '4.6',
    sentence: 'The answer to deleting a data source again.',
    default: '404',
    values: {
      '404': {},
      again: { alter: () => ({ secondDelete: () => 'again' }) },
      '409': refusedWith(409, 'alreadyDeleted'),
      '410': refusedWith(410, 'alreadyDeleted'),
    },
  },
  {
    axis: 'filter-by-deleted',
    section: '4.6',
    sentence: 'The answer to a filter by a deleted data source.',
    default: '404',
    values: {
      '404': {},
      'what-is-left': {
        alter: (rules) => ({
          filterKnown: (where, request) => where === 'deleted' || rules.filterKnown(where, request),
        }),
      },
    },
  },
  {
    axis: 'cleanup',
    section: '4.6',
    sentence: 'When the cleanup job runs.',
    default: 'seconds',
    values: {
      seconds: {},
      'at-once': { alter: () => ({ cleanupMs: () => 0 }) },
      minutes: { alter: () => ({ cleanupMs: () => 240_000 }) },
      never: { alter: () => ({ cleanupRemoves: () => false }) },
    },
    warns: { minutes: ['delete.models-removed'], never: ['delete.models-removed'] },
    blocks: {
      minutes: { 'delete.models-removed/at-last': 'No models were seen to be removed.' },
      never: { 'delete.models-removed/at-last': 'No models were seen to be removed.' },
    },
  },
];
