import { expect, test } from 'vitest';
import { inexplicableFrom } from './chat-history.ts';
import { noOrderFrom } from './find-order.ts';
import { firstFailure } from './lanes.ts';

const attempt = (key: string, sentAt: number, receivedAt: number, status: number) => ({
  key,
  sentAt,
  receivedAt,
  waitMs: 0,
  status,
});

test('a chat history fails at the answer without which it could be explained', () => {
  const held = { ...attempt('a', 0, 4000, 202), waitMs: 4000 };
  const history = { idleAt: -1000, toleranceMs: 750, attempts: [held, attempt('b', 1500, 1510, 202)] };
  expect(inexplicableFrom(history)).toBe(4000);
  expect(inexplicableFrom({ ...history, attempts: [...history.attempts, attempt('c', 5000, 5010, 409)] })).toBe(4000);
});

test('a set of writes and reads fails at the first read that no order explains', () => {
  const write = { from: 0, until: 10, next: () => [1] };
  const read = (from: number, until: number, seen: number) => ({
    from,
    until,
    next: (state: number) => (state === seen ? [state] : []),
  });
  const after = read(20, 30, 0);
  expect(noOrderFrom([write, read(1, 5, 0), after, read(40, 50, 0)], 0)).toBe(30);
  // A write that is not answered yet need not have happened.
  expect(noOrderFrom([{ ...write, until: 35 }, after, read(40, 50, 0)], 0)).toBe(50);
});

test('a history fails at an answer that came: what never came shows nothing', () => {
  expect(firstFailure([7, Infinity, 3], (until) => until > 3)).toBe(7);
  expect(firstFailure([7, Infinity, 3], (until) => until > 7)).toBe(7);
});
