import { type Item, newestFirst } from '../data/item.ts';
import type { Choice } from '../variation.ts';

function bounded(limit: number): number {
  return Math.min(100, Math.max(1, limit));
}

/** A list that is newest first, with the items of one creation time the other way round. */
function tiesTurned(items: readonly Item[]): readonly Item[] {
  const turned: Item[] = [];
  let begin = 0;
  for (const [index, item] of items.entries()) {
    if (item.createdAtMs !== items[begin]?.createdAtMs) begin = index;
    turned.splice(begin, 0, item);
  }
  return turned;
}

export const pagingChoices: readonly Choice[] = [
  {
    axis: 'limit-out-of-range',
    section: '8',
    sentence: 'What a limit gives that is no integer from 1 to 100.',
    default: 'refuse',
    values: {
      refuse: {},
      clamp: { alter: () => ({ limitInstead: (limit) => (Number.isNaN(limit) ? 50 : bounded(limit)) }) },
      default: { alter: () => ({ limitInstead: () => 50 }) },
      'read-leniently': {
        alter: () => ({
          readLimit: (text) => Number.parseInt(text, 10),
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
    sentence: 'What a cursor gives that nobody issued.',
    default: '400',
    values: {
      '400': {},
      '404': {
        alter: (rules) => ({
          refusalStatus: (kind, request) => (kind === 'unknownCursor' ? 404 : rules.refusalStatus(kind, request)),
        }),
      },
      empty: { alter: () => ({ unknownCursor: () => 'end' }) },
      beginning: { alter: () => ({ unknownCursor: () => 'beginning' }) },
    },
  },
  {
    axis: 'cursor-of-deleted',
    section: '4.6',
    sentence: 'Whether the ID of a deleted item still works as cursor.',
    default: 'its-place',
    values: { 'its-place': {}, unknown: { alter: () => ({ cursorOutlivesItem: () => false }) } },
  },
  {
    axis: 'order-of-ties',
    section: '4.1',
    sentence: 'How items of one creation time are ordered among themselves, always alike.',
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
          listStatus: (request) => (request.operation === 'listDataSources' ? 203 : rules.listStatus(request)),
          accountStatus: () => 203,
        }),
      },
    },
  },
  {
    axis: 'envelope-extras',
    section: '2.2',
    sentence: 'Fields beside data and pagination, and within pagination.',
    default: 'none',
    values: {
      none: {},
      some: {
        alter: (rules) => ({
          pagination: (meta, request) => ({ ...rules.pagination(meta, request), total: null, prevCursor: null }),
          pageText: (records, meta) => `{"object":"list",${rules.pageText(records, meta).slice(1)}`,
          accountAnswer: (record, request) => ({ ...rules.accountAnswer(record, request), meta: { version: 1 } }),
          messageAnswer: (data, request) => ({ ...rules.messageAnswer({ ...data, usage: null }, request), meta: {} }),
          deleteAnswer: (record, request) => ({ ...rules.deleteAnswer(record, request), deleted: true }),
        }),
      },
    },
  },
];
