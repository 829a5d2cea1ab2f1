import { type Item, newestFirst } from '../data/item.ts';
import type { Choice } from '../variation.ts';
import { isFiltered } from '../http/request.ts';
import { refusedWith } from './refused-with.ts';

function bounded(limit: number): number {
  return Math.min(100, Math.max(1, limit));
}

/** A list that is newest first, with items of the same creation time in reverse order. */
function tiesTurned(items: readonly Item[]): readonly Item[] {
  const turned: Item[] = [];
  let begin = 0;
  for (const [index, item] of items.entries()) {
    if (item.createdAtMs !== items[begin]?.createdAtMs) begin = index;
    turned.splice(begin, 0, item);
  }
  return turned;
}

export const listChoices: readonly Choice[] = [
  {
    axis: 'limit-out-of-range',
    section: '8',
    sentence: 'The answer to a limit that is not an integer from 1 to 100.',
    default: 'refuse',
    values: {
      refuse: {},
      clamp: { alter: () => ({ limitInstead: (limit) => (Number.isNaN(limit) ? 50 : bounded(limit)) }) },
      default: { alter: () => ({ limitInstead: () => 50 }) },
      'read-leniently': {
        alter: () => ({
          readLimit: (text) => Number.parseInt(text ?? '50', 10),
          limitInstead: (limit) => (Number.isNaN(limit) ? 50 : bounded(limit)),
        }),
      },
    },
    warns: {
      clamp: ['paging.limit-refused'],
      default: ['paging.limit-refused'],
      'read-leniently': ['paging.limit-refused'],
    },
  },
  {
    axis: 'unknown-cursor',
    section: '4.1',
    sentence: 'The answer to an unknown cursor.',
    default: '400',
    values: {
      '400': {},
      '404': refusedWith(404, 'unknownCursor'),
      empty: { alter: () => ({ unknownCursor: () => 'end' }) },
      beginning: { alter: () => ({ unknownCursor: () => 'beginning' }) },
    },
    warns: { beginning: ['delete.cursor-keeps-place'], empty: ['delete.cursor-reaches-the-rest'] },
  },
  {
    axis: 'cursor-of-deleted',
    section: '4.6',
    sentence: 'Whether the ID of a deleted item can still be used as a cursor.',
    default: 'its-place',
    values: { 'its-place': {}, unknown: { alter: () => ({ cursorOutlivesItem: () => false }) } },
  },
  {
    axis: 'order-of-ties',
    section: '4.1',
    sentence: 'The fixed order of items with the same creation time.',
    default: 'by-id',
    values: {
      'by-id': {},
      'by-id-falling': {
        alter: () => ({
          sequence: tiesTurned,
          precedes: (left, right) =>
            left.createdAtMs === right.createdAtMs ? left.id > right.id : newestFirst(left, right) < 0,
        }),
      },
      'by-id-falling-under-a-filter': {
        alter: (rules) => ({
          sequence: (items, request) => (isFiltered(request) ? tiesTurned(items) : items),
          precedes: (left, right, request) =>
            isFiltered(request) && left.createdAtMs === right.createdAtMs
              ? left.id > right.id
              : rules.precedes(left, right, request),
        }),
      },
    },
  },
  {
    axis: 'read-status',
    section: '4.5',
    sentence: 'The success status of listing data sources and of getting a billing account.',
    default: '200',
    values: {
      '200': {},
      '203': {
        alter: (rules) => ({
          readStatus: (request) => (request.operation === 'listModels' ? rules.readStatus(request) : 203),
        }),
      },
    },
  },
  {
    axis: 'envelope-extras',
    section: '2.2',
    sentence: 'Additional fields beside data and in pagination.',
    default: 'none',
    values: {
      none: {},
      some: {
        alter: (rules) => ({
          pagination: (meta) => ({ ...meta, total: null, prevCursor: null }),
          pageText: (records, meta) => `{"object":"list",${rules.pageText(records, meta).slice(1)}`,
          accountAnswer: (record, request) => ({ ...rules.accountAnswer(record, request), meta: { version: 1 } }),
          messageAnswer: (data, request) => ({ ...rules.messageAnswer({ ...data, usage: null }, request), meta: {} }),
          deleteAnswer: (record, request) => ({ ...rules.deleteAnswer(record, request), deleted: true }),
        }),
      },
    },
  },
];
