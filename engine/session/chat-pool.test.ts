import { expect, test } from 'vitest';
import { type Chat, createChatPool } from './chat-pool.ts';
import type { Answer } from '../../core/exchange.ts';
import type { Target } from '../../core/target.ts';

const alice = { name: 'alice', key: 'k', variable: '$K', adminOf: ['org_a', 'org_b'] };

function targetOf(chats: readonly string[], other: readonly string[] = []): Target {
  return {
    name: 'Test',
    baseUrl: 'http://localhost',
    principals: [alice],
    organizations: [
      { id: 'org_a', chats, disposableDataSources: [] },
      { id: 'org_b', chats: other, disposableDataSources: [] },
      { id: 'org_without_admin', chats: ['chat_9'], disposableDataSources: [] },
    ],
    billingAccounts: [],
    assistant: { quickPrompt: 'q', slowPrompt: 's', timeoutSeconds: 1 },
    limits: { maxRequestsPerSecond: 1, toleranceMs: 1, rateProbeRequests: 1 },
    allow: new Set(),
  };
}

function poolOf(...chats: Parameters<typeof targetOf>) {
  return createChatPool(targetOf(...chats));
}

const finished: Answer = {
  exchange: {
    operation: 'sendMessage',
    caller: 'alice',
    request: { method: 'POST', path: '/', headers: {}, timeoutMs: 1 },
    sentAt: 1,
    receivedAt: 2,
    outcome: { kind: 'answered', response: { status: 200, headers: {}, body: new Uint8Array() } },
  },
  status: 200,
  headers: {},
  json: undefined,
  problem: undefined,
  elapsedMs: 1,
};

test('finds a pair of one organization among many that have a chat each', async () => {
  const ids = Array.from({ length: 40 }, (_, index) => `org_${index}`);
  const organizations = ids.map((id, index) => {
    const chats = index === 30 ? ['chat_one', 'chat_two'] : [`chat_${index}`];
    return { id, chats, disposableDataSources: [] };
  });
  const pool = createChatPool({ ...targetOf([]), principals: [{ ...alice, adminOf: ids }], organizations });
  const isOfOne = (one: Chat, other: Chat) => one.organizationId === other.organizationId;
  const pair = await pool.leasePair(isOfOne);
  expect(pair.map(({ chatId }) => chatId)).toEqual(['chat_one', 'chat_two']);
});

test('serves those who wait in the order of their requests', async () => {
  const pool = poolOf(['chat_1']);
  const chat = await pool.lease();
  const served: string[] = [];
  const waiting = ['one', 'two'].map(async (name) => {
    const leased = await pool.lease();
    served.push(name);
    pool.release(leased);
  });
  pool.release(chat);
  await Promise.all(waiting);
  expect(served).toEqual(['one', 'two']);
});

test('lets one who waits for two chats not keep others from one of them', async () => {
  const pool = poolOf(['chat_1', 'chat_2']);
  const first = await pool.lease();
  const pair = pool.leasePair(() => true);
  const second = await pool.lease();
  pool.release(first);
  pool.release(second);
  expect((await pair).map(({ chatId }) => chatId)).toEqual(['chat_1', 'chat_2']);
});

test('finds a pair of two organizations however many chats the first one has', async () => {
  const many = Array.from({ length: 40 }, (_, index) => `chat_${index}`);
  const pool = poolOf(many, ['chat_z']);
  const pair = await pool.leasePair((first, second) => first.organizationId !== second.organizationId);
  expect(pair.map(({ chatId }) => chatId)).toContain('chat_z');
});

test('leases a group of free chats of one organization and one of another, and none of fewer than three', async () => {
  const pool = poolOf(['chat_1', 'chat_2', 'chat_3', 'chat_4'], ['chat_y', 'chat_z', 'chat_kept']);
  const idsOf = async () => (await pool.leaseGroup(3))?.map(({ chatId }) => chatId);
  const first = await pool.lease(({ chatId }) => chatId === 'chat_1');
  expect(await idsOf()).toEqual(['chat_2', 'chat_3', 'chat_4', 'chat_y']);
  expect(await idsOf()).toBeUndefined();
  pool.release(first);
  expect(await idsOf()).toBeUndefined();
});

test('prefers a chat that is idle', async () => {
  const pool = poolOf(['chat_1', 'chat_2']);
  const [, second] = pool.all;
  if (second === undefined) throw new Error('two chats');
  pool.markFinished(second, finished);
  expect(await pool.lease()).toBe(second);
});

test('prefers a chat that a repetition showed idle to one of which nothing is known, and a surely idle one to both', async () => {
  const pool = poolOf(['chat_1', 'chat_2', 'chat_3']);
  const [first, second, third] = pool.all;
  if (second === undefined || third === undefined) throw new Error('three chats');
  pool.markFinished(second, finished, 'repetition');
  pool.markFinished(third, finished);
  expect([await pool.lease(), await pool.lease(), await pool.lease()]).toEqual([third, second, first]);
});

test('prefers the chat that was written to the longest ago, where no chat is known to be idle', async () => {
  const pool = poolOf(['chat_1', 'chat_2', 'chat_3']);
  const [first, second, third] = pool.all;
  if (first === undefined || second === undefined || third === undefined) throw new Error('three chats');
  for (const chat of [second, third, first]) pool.mark(chat, 'unknown');
  pool.markBusy(second);
  expect([await pool.lease(), await pool.lease(), await pool.lease()]).toEqual([third, first, second]);
});

test('says what to declare where nothing fits', async () => {
  await expect(poolOf([]).lease()).rejects.toThrow('declare organizations.<id>.chats');
  await expect(poolOf(['chat_1']).leasePair(() => true)).rejects.toThrow('declare more chats');
  const pool = poolOf(['chat_1'], ['chat_2']);
  await expect(pool.lease(({ organizationId }) => organizationId === 'org_c')).rejects.toThrow('declare more chats');
});

test('leases no chat that was given up, not even to those who already wait for it', async () => {
  const pool = poolOf(['chat_1']);
  const chat = await pool.lease();
  const waiting = expect(pool.lease()).rejects.toThrow('it never ends');
  pool.giveUp(chat, 'it never ends');
  await waiting;
  pool.release(chat);
  await expect(pool.lease()).rejects.toThrow('it never ends');
});

test('remembers a chat as stuck only where nothing followed its last finished response', async () => {
  const pool = poolOf(['chat_1', 'chat_2']);
  const [first, second] = pool.all;
  if (first === undefined || second === undefined) throw new Error('two chats');
  const refused = { ...finished, status: 409 };
  pool.markFinished(first, finished);
  pool.markBusy(first);
  pool.giveUp(first, 'busy', refused);
  pool.markFinished(second, finished);
  pool.mark(second, 'unknown');
  pool.giveUp(second, 'busy', refused);
  expect(pool.stuck()).toEqual([{ chat: first, finished, refused }]);
});
