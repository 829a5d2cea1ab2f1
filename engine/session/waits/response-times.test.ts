import { expect, test } from 'vitest';
import { createReference } from '../../../reference/reference.ts';
import { Api, as } from '../../api.ts';
import { virtualClock } from '../../../core/clock.ts';
import { rememberHeld, slowPromptWait } from './choose-wait.ts';
import { idlePatienceMs } from './patience.ts';
import { longestResponseMs } from './response-times.ts';
import { createSession } from '../session.ts';

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
  for (const [status, seconds, sentAs] of held) {
    next = { status, seconds };
    const wait = status === 202 ? seconds : 100;
    const answer = await api.sendMessage(as(chat.admin), chat, { message, wait, key: api.freshKey() });
    rememberHeld(session, message, wait, answer, sentAs);
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
  expect(slowPromptWait(session)).toBe(40);
});

test('a wait is a whole number of seconds, however long responses took', async () => {
  const { session } = await sessionThatSaw([
    [200, 4.0123, 'message'],
    [202, 30, 'repetition'],
  ]);
  expect(slowPromptWait(session)).toBe(41);
});

test('a repetition that shows a finished response does not show how long it took', async () => {
  const { session } = await sessionThatSaw([
    [202, 30, 'message'],
    [200, 0, 'repetition'],
  ]);
  expect(longestResponseMs(session)).toBe(session.target.assistant.timeoutSeconds * 1000);
});
