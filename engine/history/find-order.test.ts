import { expect, test } from 'vitest';
import { findOrder, type Order, type Step } from './find-order.ts';

const add = (from: number, until: number, by: number): Step => ({ from, until, next: (sum) => [sum + by] });
const read = (from: number, until: number, seen: number): Step => ({
  from,
  until,
  next: (sum) => (sum === seen ? [sum] : []),
});
const lost = (from: number): Step => ({ from, until: Infinity, next: (sum) => [sum, sum + 1] });

const histories: readonly (readonly [string, readonly Step[], Order])[] = [
  ['nothing happened', [], 'found'],
  ['read after write', [add(0, 1, 1), read(2, 3, 1)], 'found'],
  ['a write that is lost', [add(0, 1, 1), read(2, 3, 0)], 'none'],
  ['a read beside the write sees either', [add(0, 9, 1), read(2, 3, 0), read(4, 5, 1)], 'found'],
  ['what was seen is not taken back', [add(0, 9, 1), read(2, 3, 1), read(4, 5, 0)], 'none'],
  ['a read that may be old sees what was', [add(0, 1, 1), read(-5, 3, 0)], 'found'],
  ['two writes at once, both counted', [add(0, 9, 1), add(0, 9, 1), read(10, 11, 2)], 'found'],
  ['two writes at once, one lost', [add(0, 9, 1), add(0, 9, 1), read(10, 11, 1)], 'none'],
  ['a read between two writes at once', [add(0, 9, 1), add(0, 9, 2), read(3, 4, 2), read(10, 11, 3)], 'found'],
  ['a write without an answer may come late', [lost(0), read(2, 3, 0), read(8, 9, 1)], 'found'],
  ['a write without an answer may never come', [lost(0), read(8, 9, 0)], 'found'],
  ['a write without an answer comes once', [lost(0), read(8, 9, 2)], 'none'],
  ['instants that touch', [add(0, 2, 1), read(2, 3, 0)], 'found'],
];

test.each(histories)('%s', (_name, steps, order) => {
  expect(findOrder(steps, 0)).toBe(order);
  expect(findOrder(steps.toReversed(), 0)).toBe(order);
});

test('many reads of one state cost no search, whatever their number', () => {
  const reads = Array.from({ length: 200 }, () => read(0, 9, 0));
  expect(findOrder([...reads, add(3, 4, 1), read(10, 11, 1)], 0)).toBe('found');
  expect(findOrder([...reads, add(3, 4, 1), read(10, 11, 2)], 0)).toBe('none');
});

test('too many orders to try are undecided, not violated', () => {
  const writes = Array.from({ length: 20 }, (_, index) => add(0, 9, 2 ** index));
  expect(findOrder([...writes, read(10, 11, -1)], 0)).toBe('undecided');
});
