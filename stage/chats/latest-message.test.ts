import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { Api, as } from '../../engine/api.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { latestIn, refusalsIn, rememberLatest, rememberRefusal } from './latest-message.ts';

/** Sends a message that is answered with that status, as the one after an accepted message, and returns the chat's latest text. */
async function latestAfter(status: number): Promise<string | undefined> {
  const clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  let next = 200;
  const deployment = async () => ({ status: next, headers: {}, body: new Uint8Array() });
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  const [chat] = session.chats.all;
  if (chat === undefined) throw new Error('the reference has no chat');
  const api = new Api(session, 'test');
  const caller = as(chat.admin);
  for (const text of ['first', 'second']) {
    const key = api.freshKey();
    const answer = await api.sendMessage(caller, chat, { message: text, key });
    rememberLatest(session, { chat, caller, key, text, answer });
    next = status;
  }
  return latestIn(session, chat)?.text;
}

test('the latest message of a chat is the last one that it accepted or, after an internal error, may have accepted', async () => {
  expect(await latestAfter(202)).toBe('second');
  expect(await latestAfter(409)).toBe('first');
  expect(await latestAfter(500)).toBe('second');
});

test('each refusal of a chat counts', () => {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  const [chat, other] = session.chats.all;
  if (chat === undefined || other === undefined) throw new Error('the reference has too few chats');
  rememberRefusal(session, chat);
  rememberRefusal(session, chat);
  expect([refusalsIn(session, chat), refusalsIn(session, other)]).toEqual([2, 0]);
});
