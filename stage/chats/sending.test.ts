import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import { stringAt } from '../../core/json.ts';
import { Api } from '../../engine/api.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { finishedIn, latestIn, stuckIn, unrepeatedIn } from './latest-message.ts';
import { heldIn } from './held-messages.ts';
import { send, sendAgain, sendWhenFree } from './sending.ts';

test.each([
  ['is not idle while a later message may be generating', 202, 'unknown'],
  ['is idle where a later message was refused', 409, 'idle'],
] as const)('a chat whose held message is answered last %s', async (_name, later, state) => {
  const clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  const answers = [
    { status: 200, afterMs: 3000 },
    { status: later, afterMs: 1 },
  ].values();
  const deployment: Deployment = async () => {
    const { status, afterMs } = answers.next().value ?? { status: 500, afterMs: 0 };
    await clock.sleep(afterMs);
    return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };
  };
  const api = new Api(createSession({ deployment, target, clock, seed: 1, invariants: [] }), 'test');
  const [chat] = api.session.chats.all;
  if (chat === undefined) throw new Error('the reference has no chat');
  const held = send(api, chat, { message: 'x', wait: 10 });
  await clock.sleep(2998);
  await Promise.all([held, send(api, chat, { message: 'y' })]);
  expect(api.session.chats.standing(chat).state).toBe(state);
});

test.each([
  [1, 'with wait that is accepted', 202, 10],
  [1, 'with wait that is answered', 200, 10],
  [0, 'with wait that is refused', 404, 10],
  [0, 'without wait that is accepted', 202, undefined],
] as const)('%i answers are remembered as held: a message %s', async (count, _what, status, wait) => {
  const clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  const answer = { status, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };
  const deployment: Deployment = () => Promise.resolve(answer);
  const api = new Api(createSession({ deployment, target, clock, seed: 1, invariants: [] }), 'test');
  const [chat] = api.session.chats.all;
  if (chat === undefined) throw new Error('the reference has no chat');
  await send(api, chat, { message: 'x', ...(wait === undefined ? {} : { wait }) });
  expect(heldIn(api.session)).toHaveLength(count);
});

test.each([
  [0, 'before it was answered', 50, 100],
  [1, 'after it was answered', 100, 50],
] as const)(
  '%i answers are remembered as held: a message that is repeated %s',
  async (count, _when, againMs, tookMs) => {
    const clock = virtualClock();
    const { target } = createReference({ clock, seed: 1 });
    const deployment: Deployment = async () => {
      await clock.sleep(tookMs);
      return { status: 202, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };
    };
    const api = new Api(createSession({ deployment, target, clock, seed: 1, invariants: [] }), 'test');
    const [chat] = api.session.chats.all;
    if (chat === undefined) throw new Error('the reference has no chat');
    const key = 'k';
    const first = send(api, chat, { message: 'x', wait: 10, keyOf: () => key });
    await clock.sleep(againMs);
    await Promise.all([first, sendAgain(api, { chat, key, text: 'x', wait: 10 })]);
    expect(heldIn(api.session)).toHaveLength(count);
  },
);

test.each([
  [1, 'stays busy', 409],
  [0, 'refuses for another reason', 400],
] as const)('%i chats are stuck where one %s', async (count, _what, status) => {
  const clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  let sent = 0;
  const deployment: Deployment = async () => {
    sent += 1;
    return {
      status: sent === 1 ? 202 : status,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{}'),
    };
  };
  const api = new Api(createSession({ deployment, target, clock, seed: 1, invariants: [] }), 'test');
  const [chat] = api.session.chats.all;
  if (chat === undefined) throw new Error('the reference has no chat');
  await send(api, chat, { message: 'x' });
  await sendWhenFree(api, chat, { message: 'y' }, { allRefusals: true });
  expect(stuckIn(api.session)).toHaveLength(count);
});

test.each([
  ['a new message', 2, undefined],
  ['the original one', 1, 'user-1'],
] as const)('the same key with another message shows %s', async (_what, number, latest) => {
  const clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  const numbers = [1, number].values();
  const deployment: Deployment = async () => {
    const id = `user-${numbers.next().value}`;
    const body = { data: { userMessage: { id }, assistantMessage: { id: `answer to ${id}` } } };
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) };
  };
  const api = new Api(createSession({ deployment, target, clock, seed: 1, invariants: [] }), 'test');
  const [chat] = api.session.chats.all;
  if (chat === undefined) throw new Error('the reference has no chat');
  await send(api, chat, { message: 'x', wait: 10 });
  const { key } = finishedIn(api.session, chat) ?? { key: '' };
  await sendAgain(api, { chat, key, text: 'x', userMessageId: 'user-1' }, { message: 'y' });
  expect(stringAt(finishedIn(api.session, chat)?.answer?.json, 'data', 'userMessage', 'id')).toBe(latest);
});

test.each([
  ['is still known', 'user-1', 'user-2'],
  ['is unknown', 'user-3', undefined],
] as const)('the latest message %s once an older one was repeated that showed %s', async (_what, shown, latest) => {
  const clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  const ids = ['user-1', 'user-2', shown].values();
  const deployment: Deployment = async () => {
    const body = { data: { userMessage: { id: ids.next().value }, assistantMessage: { id: 'a' } } };
    return { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) };
  };
  const api = new Api(createSession({ deployment, target, clock, seed: 1, invariants: [] }), 'test');
  const [chat] = api.session.chats.all;
  if (chat === undefined) throw new Error('the reference has no chat');
  await send(api, chat, { message: 'older' });
  const [older] = unrepeatedIn(api.session);
  if (older === undefined) throw new Error('the message is not remembered');
  await send(api, chat, { message: 'newer' });
  await sendAgain(api, older);
  expect(stringAt(latestIn(api.session, chat)?.answer?.json, 'data', 'userMessage', 'id')).toBe(latest);
});

test('a chat that refuses messages for good is waited for a shorter time than a busy one, and the next one shorter still', async () => {
  const clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  let answers: readonly number[] = [202];
  const deployment: Deployment = async () => {
    const [status = 422, ...left] = answers;
    answers = left;
    return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };
  };
  const api = new Api(createSession({ deployment, target, clock, seed: 1, invariants: [] }), 'test');
  const [accepting, ...refusing] = api.session.chats.all;
  if (accepting === undefined) throw new Error('the reference has no chat');
  await send(api, accepting, { message: 'x' });
  const waitedMs: number[] = [];
  for (const chat of refusing.slice(0, 2)) {
    const startedAt = clock.now();
    await sendWhenFree(api, chat, { message: 'y' }, { allRefusals: true });
    waitedMs.push(clock.now() - startedAt);
  }
  const [first = 0, second = 0] = waitedMs;
  expect(first).toBeGreaterThanOrEqual(30_000);
  expect(first).toBeLessThan(1000 * target.assistant.timeoutSeconds);
  expect(second).toBeLessThan(first / 2);
});

test('a single refusal of another kind does not end the wait for a busy chat', async () => {
  const clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  const startedAt = clock.now();
  let isOdd = true;
  const statusAt = (ms: number): number => {
    if (ms === 0) return 202;
    if (ms > 60_000) return 200;
    if (ms < 35_000 || !isOdd) return 409;
    isOdd = false;
    return 408;
  };
  const deployment: Deployment = async () => {
    const status = statusAt(clock.now() - startedAt);
    return { status, headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };
  };
  const api = new Api(createSession({ deployment, target, clock, seed: 1, invariants: [] }), 'test');
  const [chat, other] = api.session.chats.all;
  if (chat === undefined || other === undefined) throw new Error('the reference has few chats');
  await send(api, other, { message: 'x' });
  await clock.sleep(1);
  expect((await sendWhenFree(api, chat, { message: 'y' }, { allRefusals: true })).status).toBe(200);
});
