import { expect, test } from 'vitest';
import { listRequest } from '../../schedule/load-request.ts';
import { carryMessages } from './carry-messages.ts';
import type { Ended } from './judged.ts';

const admin = { name: 'alice', key: 'key-of-alice', variable: '$ALICE', adminOf: ['org'] };
const request = listRequest('listModels', admin, 'org', 10, 1000, {});

function ended(endedAt: number): Ended {
  return { request, arrived: { outcome: 202, headers: () => ({}), body: [] }, sentAt: endedAt, endedAt };
}

function carryAt(time: { now: number }) {
  return carryMessages({ now: () => time.now, mostMs: 1000 });
}

test('a message is repeated at its rate and higher ones, until its response is finished', () => {
  const carried = carryAt({ now: 0 });
  const [slow, fast] = [ended(0), ended(0)];
  carried.from(10, [slow]);
  carried.from(40, [slow, fast]);
  expect(carried.to(40)).toEqual([slow, fast]);
  expect(carried.to(20)).toEqual([slow]);
  expect(carried.to(5)).toEqual([]);
  carried.from(20, []);
  expect(carried.to(40)).toEqual([fast]);
});

test('a message is given up after the longest response', () => {
  const time = { now: 0 };
  const carried = carryAt(time);
  const [old, young] = [ended(0), ended(500)];
  carried.from(10, [old, young]);
  time.now = 1200;
  carried.from(10, [old, young]);
  expect(carried.to(10)).toEqual([young]);
});

test('messages of low rates are carried first, and not all', () => {
  const carried = carryAt({ now: 0 });
  const many = (count: number) => Array.from({ length: count }, () => ended(0));
  carried.from(40, many(100));
  const low = many(5);
  carried.from(10, low);
  expect(carried.to(40).slice(0, 5)).toEqual(low);
  expect(carried.to(40).length).toBeLessThan(100);
});
