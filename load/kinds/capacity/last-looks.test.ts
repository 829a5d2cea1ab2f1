import { expect, test } from 'vitest';
import { plainTarget } from '../../../testing/samples/plain-target.ts';
import type { Principal } from '../../../core/target.ts';
import { messageRequest } from '../../schedule/load-request.ts';
import { type Followed, judgeFollowed } from './followed-message.ts';
import type { Ended } from './judged.ts';
import { lastLooks } from './last-looks.ts';

const alice: Principal = { name: 'alice', key: 'key-of-alice', variable: '$ALICE', adminOf: ['org'] };
const target = plainTarget({
  principals: [alice],
  idempotencyHeader: 'idempotency-key',
  allow: new Set(['load', 'messages']),
});
const { toleranceMs } = target.limits;

function endedAt(sentAt: number, key: string, outcome: number): Ended {
  const chat = { organizationId: 'org', chatId: 'c', admin: alice };
  const request = messageRequest(target, chat, { text: 'slow', key, waitSeconds: undefined, timeoutMs: 1000 });
  return { request, arrived: { outcome, headers: () => ({}), body: [] }, sentAt, endedAt: sentAt + 1 };
}

/** A message at 0, and another one in the same chat at `secondAt`. The trial ends at 2000. Returns the times of all looks as well. */
async function judged(secondAt: number, outcome: number, answer: (at: number) => number, trials = 1) {
  const looks: number[] = [];
  let now = 2000;
  const look = lastLooks({
    read: ({ request: { headers } }) => {
      looks.push(now);
      return Promise.resolve(endedAt(now, headers['idempotency-key'] ?? '', answer(now)));
    },
    sleep: (ms) => Promise.resolve(void (now += ms)),
    now: () => now,
    mostMs: 10_000,
    signal: new AbortController().signal,
  });
  const second = { first: endedAt(secondAt, 'b', outcome), again: [], afterLoad: [], seconds: [] };
  const followed: Followed = { first: endedAt(0, 'a', 202), again: [], afterLoad: [], seconds: [second] };
  for (let trial = 0; trial < trials; trial += 1) {
    followed.afterLoad.splice(0);
    await look([followed]);
  }
  const { kept, breaks } = await judgeFollowed([followed], { toleranceMs });
  return { looks, kept: kept.get('conflict.refused') ?? 0, broke: breaks.map(({ requirement }) => requirement) };
}

const finishedAt = (end: number) => (at: number) => (at < end ? 202 : 200);

test('a message that was accepted during a response is found, even if the trial ended before the response', async () => {
  const { broke, looks } = await judged(500, 202, finishedAt(4000));
  expect(broke).toEqual(['conflict.refused']);
  expect(looks.at(-1)).toBeGreaterThanOrEqual(4000);
  expect((await judged(1999, 202, finishedAt(4000))).broke).toEqual(['conflict.refused']);
});

test.each([
  ['the response was finished', 500, finishedAt(499)],
  ['the response was finished, and its end was noticed late', 1800, finishedAt(1800 + toleranceMs)],
  ['the messages cannot be repeated after the trial', 500, () => 503],
  ['repetitions show the first answer for ever', 500, () => 202],
] as const)('a second message is not accused if %s', async (_, secondAt, answer) => {
  const { broke, kept } = await judged(secondAt, 202, answer);
  expect(broke).toEqual([]);
  expect(kept).toBe(0);
});

test('a refused message needs no looks', async () => {
  expect(await judged(500, 409, finishedAt(4000))).toEqual({ looks: [], kept: 1, broke: [] });
});

test('a search waits only once for a deployment whose repetitions never show the end', async () => {
  const { looks } = await judged(500, 202, () => 202);
  expect((await judged(500, 202, () => 202, 3)).looks).toEqual(looks);
});
