import { expect, test } from 'vitest';
import { paths } from '../../../core/paths.ts';
import type { Principal } from '../../../core/target.ts';
import type { MixEntry } from '../../profile/mix.ts';
import { type LoadRequest, requestWithoutBody } from '../../schedule/load-request.ts';
import type { Ended } from './judged.ts';
import { heardMs } from '../../../promises/deletion.ts';
import { watchDeletions } from './watch-deletions.ts';

const alice: Principal = { name: 'alice', key: 'key-of-alice', variable: '$ALICE', adminOf: ['org'] };
const lists: MixEntry = { operation: 'listDataSources', weight: 1, limits: [], pages: 1, filters: false };
const deletes: MixEntry = { operation: 'deleteDataSource', weight: 1, most: 2, ifAllowed: false };
const deletion = requestWithoutBody('deleteDataSource', alice, paths.dataSource('org', 'a'), 1000);

const ended = (request: LoadRequest, outcome: Ended['arrived']['outcome'], body: unknown): Ended => ({
  request,
  arrived: {
    outcome,
    headers: () => ({ 'content-type': 'application/json' }),
    body: [Buffer.from(JSON.stringify(body))],
  },
  sentAt: 1,
  endedAt: 2,
});

/** A watch whose lists show these records, one list after the other; the last one again and again. */
function watch(...records: readonly (readonly unknown[])[]) {
  const slept: number[] = [];
  const shown = [...records];
  const watched = watchDeletions({
    target: {
      allow: new Set(['load', 'deletions']),
      principals: [alice],
      organizations: [{ id: 'org', disposableDataSources: ['a', 'b', 'c'], chats: [] }],
    },
    mix: [lists, deletes],
    toPerSecond: 40,
    timeoutMs: 1000,
    read: async (request) => {
      const data = shown.length > 1 ? shown.shift() : shown[0];
      return ended(request, 200, { data, pagination: { hasMore: false, nextCursor: null } });
    },
    sleep: async (ms) => void slept.push(ms),
  });
  const send = (outcome: Ended['arrived']['outcome']): void => {
    const { request, arrived, ...times } = ended(deletion, outcome, { data: { id: 'a' } });
    watched.listener(request, arrived, { ...times, isWarmUp: false });
  };
  return { ...watched, send, slept };
}

test('deletes only at the highest rate and at rates that were reached before, and as many as the mix says', async () => {
  const { deletable, mixAt, send } = watch([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
  expect([...deletable]).toEqual(['a', 'b', 'c']);
  expect(await mixAt(10)).toEqual([lists]);
  expect(await mixAt(20)).toEqual([lists]);
  expect(await mixAt(15)).toEqual([lists, { ...deletes, most: 1 }]);
  send(200);
  expect(await mixAt(40)).toEqual([lists, { ...deletes, most: 1 }]);
  send(200);
  expect(await mixAt(20)).toEqual([lists]);
});

test('deletes no more than the lists show', async () => {
  const one = watch([{ id: 'a' }]);
  await one.mixAt(10);
  expect(await one.mixAt(10)).toEqual([lists, { ...deletes, most: 1 }]);
  one.send(200);
  expect(await one.mixAt(10)).toEqual([lists]);
  const none = watch([{ id: 'other' }]);
  await none.mixAt(10);
  expect(await none.mixAt(10)).toEqual([lists]);
});

const [a, b] = [{ id: 'a', name: 'A', updatedAt: '1' }, { id: 'b' }];

test.each([
  ['is gone', [[b]], []],
  ['is marked', [[{ ...a, status: 'deleted' }, b]], []],
  ['is listed as before', [[{ ...a, updatedAt: '2' }, b]], ['delete.gone-or-marked']],
  ['is listed by one copy and not by another', [[a, b], [b]], []],
])('a deleted data source %s', async (_what, after, broken) => {
  const { mixAt, send, judge, slept } = watch([a, b], ...after);
  await mixAt(10);
  await mixAt(10);
  send(200);
  const { kept, breaks } = await judge();
  expect(slept).toEqual([heardMs]);
  expect(breaks.map(({ requirement }) => requirement)).toEqual(broken);
  expect([...kept.keys()]).toEqual(broken.length > 0 ? [] : ['delete.gone-or-marked']);
  expect(breaks.flatMap(({ exchanges }) => exchanges.map(({ operation }) => operation))).toEqual(
    broken.length > 0 ? ['listDataSources', 'deleteDataSource', 'listDataSources'] : [],
  );
});

test.each<Ended['arrived']['outcome']>([404, 429, 503, 'timeout'])(
  'a deletion that ended with %s proves nothing',
  async (outcome) => {
    const { mixAt, send, judge, slept } = watch([a, b]);
    await mixAt(10);
    await mixAt(10);
    send(outcome);
    expect(await judge()).toEqual({ kept: new Map(), breaks: [] });
    expect(slept).toEqual([]);
  },
);
