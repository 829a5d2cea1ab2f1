import { expect, test } from 'vitest';
import { looksDeleted, marksOf, strayEdit, strayMark } from './deletion-mark.ts';

const plain = { id: 'a', displayName: 'Deleted orders', lastSyncStatus: 'PENDING', deletable: true };

test.each([
  ['a time of deletion', { deletedAt: '2026-01-15T12:00:00Z' }, { deletedAt: null }, true],
  ['a flag', { isDeleted: true }, { isDeleted: false }, true],
  ['a flag the other way round', { active: false }, { active: true }, true],
  ['a state', { state: 'ARCHIVED' }, { state: 'LIVE' }, true],
  ['a documented status', { lastSyncStatus: 'DELETED' }, {}, true],
  ['a field that all records share', { deletable: true }, {}, false],
  ['an ordinary name', { displayName: 'Archive of deleted orders' }, {}, false],
  ['nothing', {}, {}, false],
])('%s', (_what, marked, unmarked, expected) => {
  const record = { ...plain, ...marked };
  expect(looksDeleted(record, [record, { ...plain, ...unmarked }])).toBe(expected);
});

test('times of ordinary use mark nothing', () => {
  const busy = { updatedAt: '2', lastSyncAttemptAt: '2', lastHealthyAt: '2' };
  expect(marksOf(plain, { ...plain, ...busy })).toEqual([]);
  expect(marksOf(plain, { ...plain, ...busy, deletedAt: 'x', displayName: 'gone' })).toEqual([
    'displayName',
    'deletedAt',
  ]);
});

test('a null or a flag of deletion that appears without being set marks nothing', () => {
  expect(marksOf(plain, { ...plain, deletedAt: null, isDeleted: false, state: null })).toEqual([]);
  expect(marksOf(plain, { ...plain, active: false })).toEqual(['active']);
  expect(marksOf({ ...plain, notDeleted: true }, { ...plain, notDeleted: false })).toEqual(['notDeleted']);
});

test('a time in another form marks nothing', () => {
  const updatedAt = '2026-01-15T12:00:01Z';
  const before = { ...plain, updatedAt, createdAt: '2026-01-15T12:00:00.000Z', seenAt: '2026-01-15T12:00:00Z' };
  const after = {
    ...plain,
    updatedAt,
    createdAt: '2026-01-15T17:30:00.000+05:30',
    seenAt: '2026-01-15t12:00:00+00:00',
  };
  expect(marksOf(before, after)).toEqual([]);
  expect(strayEdit(before, after)).toBeUndefined();
  expect(strayEdit(before, { ...after, createdAt: '2026-01-15T17:30:00.000+05:00' })).toBe('createdAt');
});

test.each([
  ['marked by words', { deletedAt: null }, { deletedAt: '2026-01-15T12:00:00Z' }, undefined, 'deletedAt'],
  [
    'moved as the deleted one',
    { phase: 1, stage: 'a' },
    { phase: 2, stage: 'b' },
    [{ stage: 'a' }, { stage: 'b' }],
    'stage',
  ],
  ['counted as the deleted one', { revision: 1 }, { revision: 2 }, [{ revision: 1 }, { revision: 2 }], undefined],
  [
    'read at the same time as the deleted one',
    { readAt: '2026-01-15T12:00:00Z' },
    { readAt: '2026-01-15T12:00:05Z' },
    [{ readAt: '2026-01-15T12:00:00Z' }, { readAt: '2026-01-15T12:00:05Z' }],
    undefined,
  ],
  [
    'free to be deleted',
    { canDelete: false, removable: false },
    { canDelete: true, removable: true },
    undefined,
    undefined,
  ],
  ['synchronised', { lastSyncStatus: 'PENDING' }, { lastSyncStatus: 'DONE' }, undefined, undefined],
])('another record is %s', (_what, before, after, deleted, field) => {
  const [was, is] = deleted ?? [];
  expect(
    strayMark(before, after, deleted === undefined ? undefined : { before: was, after: is, restless: new Set() }),
  ).toBe(field);
});

test('an edit shows in updatedAt', () => {
  const before = { displayName: 'One', updatedAt: '2026-01-15T12:00:01Z', lastSyncStatus: 'PENDING' };
  expect(strayEdit(before, { ...before, displayName: 'Two' })).toBe('displayName');
  expect(strayEdit(before, { ...before, displayName: 'Two', updatedAt: '2026-01-15T12:00:02Z' })).toBeUndefined();
  expect(strayEdit(before, { ...before, lastSyncStatus: 'DONE', syncErrorMessage: 'x' })).toBeUndefined();
});

test.each([undefined, null, '2026-01-15T12:00:00Z', '2026-01-15'])(
  'an edit need not show in the updatedAt %j',
  (time) => {
    const before = { displayName: 'One', updatedAt: time };
    expect(strayEdit(before, { ...before, displayName: 'Two' })).toBeUndefined();
  },
);
