import { expect, test } from 'vitest';
import { createReference } from '../../reference/reference.ts';
import { Api, as } from '../api.ts';
import { virtualClock } from '../../core/clock.ts';
import {
  firstWait,
  idlePatienceMs,
  isHeldInFull,
  longestResponseMs,
  longestWait,
  rememberHeld,
  stayedBusy,
} from './patience.ts';
import { createSession } from './session.ts';

/** Sends quick prompts to a deployment whose responses take those times, in milliseconds, and returns each `wait` in seconds. */
async function waitsFor(responses: readonly number[], holdsInFull: boolean) {
  const clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  const left = [...responses];
  const deployment = async ({ path }: { readonly path: string }) => {
    const waitMs = 1000 * Number(/wait=(\d+)/.exec(path)?.[1]);
    const responseMs = left.shift() ?? 0;
    await clock.sleep(holdsInFull ? waitMs : Math.min(waitMs, responseMs));
    return { status: responseMs <= waitMs ? 200 : 202, headers: {}, body: new Uint8Array() };
  };
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  const [chat] = session.chats.all;
  if (chat === undefined) throw new Error('the reference has no chat');
  const api = new Api(session, 'test');
  const message = target.assistant.quickPrompt;
  const waits: number[] = [];
  while (left.length > 0) {
    const wait = firstWait(session);
    waits.push(wait);
    const answer = await api.sendMessage(as(chat.admin), chat, { message, wait, key: api.freshKey() });
    rememberHeld(session, message, wait, answer);
  }
  return { session, waits };
}

test('a wait that is held in full is reduced at once, and the one for the slow prompt as well', async () => {
  const { session, waits } = await waitsFor([500, 500, 500, 500], true);
  expect(waits).toEqual([10, 3, 1, 1]);
  expect(isHeldInFull(session)).toBe(true);
  expect(longestWait(session)).toBeLessThan(30);
});

test('a response that ends just as its wait does is no wait held in full', async () => {
  const { session, waits } = await waitsFor([9900, 9500, 9500, 9500], false);
  expect(waits).toEqual([10, 3, 10, 10]);
  expect(isHeldInFull(session)).toBe(false);
  expect(longestWait(session)).toBe(30);
});

/** A session that saw slow messages held for those times, in seconds. */
async function sessionThatSaw(held: readonly (readonly [number, number, 'message' | 'repetition'])[]) {
  const clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  let next = { status: 200, seconds: 0 };
  const deployment = async () => {
    await clock.sleep(1000 * next.seconds);
    return { status: next.status, headers: {}, body: new Uint8Array() };
  };
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  const [chat] = session.chats.all;
  if (chat === undefined) throw new Error('the reference has no chat');
  const api = new Api(session, 'test');
  const message = target.assistant.slowPrompt;
  for (const [status, seconds, shownBy] of held) {
    next = { status, seconds };
    const wait = status === 202 ? seconds : 100;
    const answer = await api.sendMessage(as(chat.admin), chat, { message, wait, key: api.freshKey() });
    rememberHeld(session, message, wait, answer, shownBy);
  }
  return { session, chat };
}

test('a message that was held without a result is not waited for longer than finished responses make likely', async () => {
  const { session, chat } = await sessionThatSaw([
    [200, 4, 'message'],
    [202, 30, 'repetition'],
  ]);
  expect(longestResponseMs(session)).toBe(40_000);
  expect(idlePatienceMs(session, chat)).toBe(40_000);
  expect(longestWait(session)).toBe(40);
});

test('a wait is a whole number of seconds, however long responses took', async () => {
  const { session } = await sessionThatSaw([
    [200, 4.0123, 'message'],
    [202, 30, 'repetition'],
  ]);
  expect(longestWait(session)).toBe(41);
});

test('a repetition that shows a finished response does not show how long it took', async () => {
  const { session } = await sessionThatSaw([
    [202, 30, 'message'],
    [200, 0, 'repetition'],
  ]);
  expect(longestResponseMs(session)).toBe(session.target.assistant.timeoutSeconds * 1000);
});

test('a chat that stayed busy is not waited for again, and every other one for less long', async () => {
  const { session, chat } = await sessionThatSaw([]);
  const [other] = session.chats.all.filter((one) => one !== chat);
  if (other === undefined) throw new Error('the reference has one chat');
  const before = idlePatienceMs(session, other);
  stayedBusy(session, chat);
  expect(idlePatienceMs(session, chat)).toBe(0);
  const after = idlePatienceMs(session, other);
  expect(after).toBeLessThan(before);
  stayedBusy(session, chat); // A chat counts once.
  expect(idlePatienceMs(session, other)).toBe(after);
});
