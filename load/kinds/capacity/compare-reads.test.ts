import { expect, test } from 'vitest';
import type { Principal } from '../../../core/target.ts';
import { billingRequest, listRequest, type LoadRequest } from '../../schedule/load-request.ts';
import { compareReads } from './compare-reads.ts';
import type { Ended } from './judged.ts';

const alice: Principal = { name: 'alice', key: 'key-of-alice', variable: '$ALICE', adminOf: [] };
const account = billingRequest(alice, 'ba', 1000);
const models = listRequest('listModels', alice, 'org', 3, 1000);
const lagMs = 1000;

const counting = (organizationCount: number, more = {}) => ({ data: { id: 'ba', organizationCount, ...more } });
const listing = (...ids: readonly string[]) => ({
  data: ids.map((id) => ({ id })),
  pagination: { hasMore: true, nextCursor: ids.at(-1) },
});

/** Answers at these instants in milliseconds, then those after the trial. */
async function judged(
  request: LoadRequest,
  answers: readonly (readonly [at: number, body: unknown])[],
  after: unknown,
) {
  const slept: number[] = [];
  const reads = compareReads({
    deletable: new Set(['a']),
    lagMs,
    sleep: async (ms) => void slept.push(ms),
  });
  const ended = (body: unknown, at: number): Ended => ({
    request,
    arrived: {
      outcome: 200,
      headers: () => ({ 'content-type': 'application/json' }),
      body: [Buffer.from(JSON.stringify(body))],
    },
    sentAt: at,
    endedAt: at,
  });
  for (const [at, body] of answers) {
    const { arrived, ...times } = ended(body, at);
    reads.listener(request, arrived, { ...times, isWarmUp: false });
  }
  const { kept, breaks } = await reads.judge(async () => ended(after, 9999));
  return { kept: [...kept.values()], breaks, slept };
}

test('another count is a violation only if it is the same before and after', async () => {
  const other = [
    [0, counting(5)],
    [2000, counting(4)],
  ] as const;
  const { breaks, slept } = await judged(account, other, counting(5));
  expect(breaks).toMatchObject([
    { requirement: 'attach.count', expected: 'organizationCount 5, because nothing was attached', actual: '4' },
  ]);
  expect(breaks[0]?.exchanges).toHaveLength(3);
  expect(slept).toEqual([lagMs]);
  expect((await judged(account, other, counting(4))).breaks).toEqual([]);
});

test('a copy of the data may be behind for a while', async () => {
  const soon = [
    [0, counting(5)],
    [500, counting(4)],
  ] as const;
  expect(await judged(account, soon, counting(5))).toEqual({ kept: [], breaks: [], slept: [] });
});

test('other fields may change, and equal answers keep the requirement', async () => {
  const answers = [
    [0, counting(5)],
    [2000, counting(5)],
    [2001, counting(5, { name: 'New' })],
    [2002, counting(5)],
  ] as const;
  expect(await judged(account, answers, counting(5))).toEqual({ kept: [3], breaks: [], slept: [] });
});

test.each([
  ['an item that is left out', listing('a', 'c', 'd'), ['paging.walk']],
  ['items in another order', listing('b', 'a', 'c'), ['paging.walk']],
  ['a new item', listing('new', 'a', 'b'), []],
  ['a deletion', listing('b', 'c'), []],
  ['a shorter page', listing('a', 'b'), []],
])('%s', async (_what, shown, expected) => {
  const answers = [
    [0, listing('a', 'b', 'c')],
    [2000, shown],
  ] as const;
  const { breaks } = await judged(models, answers, listing('a', 'b', 'c'));
  expect(breaks.map(({ requirement }) => requirement)).toEqual(expected);
  expect((await judged(models, answers, shown)).breaks).toEqual([]);
});
