import { expect, test } from 'vitest';
import { createReference } from '../../reference/reference.ts';
import { Api } from '../../engine/api.ts';
import { virtualClock } from '../../core/clock.ts';
import { givenChat, givenIdleChat, settle } from './conversation.ts';
import { givenThread, givenThreadChat } from './thread.ts';
import { usedUp } from '../../engine/session/used-up.ts';
import { send, sendWhenFree } from './sending.ts';
import type { Deployment } from '../../core/http.ts';
import { createSession } from '../../engine/session/session.ts';

/** A check at work on the reference, with an assistant that is given two seconds to answer by default. */
function begin(wrap: (reference: Deployment) => Deployment = (reference) => reference, timeoutSeconds = 2) {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const { assistant } = target;
  const hasty = { ...target, assistant: { ...assistant, timeoutSeconds } };
  const session = createSession({ deployment: wrap(deployment), target: hasty, clock, seed: 1, invariants: [] });
  const countMessages = () => usedUp(session).messages.reduce((sum, { count }) => sum + count, 0);
  return { api: new Api(session, 'test'), assistant, chats: session.chats, countMessages };
}

const quick = { message: 'Reply with ok.', wait: 20 };

/** The reference until `isStuck` is set, then 409. */
function stuckWhen(gate: { isStuck: boolean }) {
  const body = Buffer.from('{"error":{"title":"Busy","detail":"It is busy."}}');
  return (reference: Deployment): Deployment =>
    async (request) =>
      gate.isStuck ? { status: 409, headers: { 'content-type': 'application/json' }, body } : reference(request);
}

test('a chat whose response outlasts the wait is no violation', async () => {
  const { api, assistant, chats } = begin();
  const chat = await givenIdleChat(api);
  expect((await send(api, chat, { message: assistant.slowPrompt })).status).toBe(202);
  expect((await sendWhenFree(api, chat, quick)).status).toBe(409);
  expect(chats.stuck()).toEqual([]);
  await expect(givenChat(api, (other) => other.chatId === chat.chatId)).rejects.toThrow('did not become idle');
});

test('a chat that goes on refusing after its last response has finished is remembered', async () => {
  const gate = { isStuck: false };
  const { api, chats } = begin(stuckWhen(gate));
  const chat = await givenIdleChat(api);
  const finished = await send(api, chat, quick);
  expect(finished.status).toBe(200);
  gate.isStuck = true;
  // At first it may still be busy with that one, for as long as is tolerated.
  expect((await sendWhenFree(api, chat, quick)).status).toBe(409);
  expect(chats.stuck()).toEqual([]);
  expect((await sendWhenFree(api, chat, quick)).status).toBe(409);
  expect(chats.stuck()).toMatchObject([{ finished, refused: { status: 409 } }]);
});

test('a longer time for the assistant is advised only where all of it was waited for', async () => {
  const gate = { isStuck: true };
  const { api, chats } = begin(stuckWhen(gate), 60);
  const [first, second] = chats.all;
  if (first === undefined || second === undefined) throw new Error('too few chats');
  const why = (given: typeof first) => givenChat(api, (chat) => chat === given);
  expect((await sendWhenFree(api, first, quick)).status).toBe(409);
  await expect(why(first)).rejects.toThrow(/ may take: raise assistant\.timeoutSeconds, now 60$/);
  // After one wait without result the next one is shorter.
  expect((await sendWhenFree(api, second, quick)).status).toBe(409);
  await expect(why(second)).rejects.toThrow(/ may take, by what this run saw$/);
});

test('a message that may have been accepted may keep a chat busy', async () => {
  const gate = { isStuck: false };
  let isCut = false;
  const { api, chats } = begin((reference) => async (request) => {
    const answer = await stuckWhen(gate)(reference)(request);
    return isCut ? { ...answer, status: 500 } : answer;
  });
  const chat = await givenIdleChat(api);
  isCut = true;
  expect((await send(api, chat, quick)).status).toBe(500);
  [isCut, gate.isStuck] = [false, true];
  expect((await sendWhenFree(api, chat, quick)).status).toBe(409);
  expect(chats.stuck()).toEqual([]);
});

test('a chat is settled by its last message, which costs no new one', async () => {
  const { api, chats, countMessages } = begin();
  const chat = await givenIdleChat(api);
  expect((await send(api, chat, { message: quick.message })).status).toBe(202);
  const before = countMessages();
  await settle(api, chat);
  expect(chats.standing(chat).state).toBe('idle');
  expect(countMessages()).toBe(before);
});

test('a chat that refused a message since its last one is settled by a new one, which shows what the refused one left', async () => {
  const { api, chats, countMessages } = begin();
  const chat = await givenIdleChat(api);
  expect((await send(api, chat, { message: quick.message })).status).toBe(202);
  expect((await send(api, chat, quick)).status).toBe(409);
  const before = countMessages();
  await settle(api, chat);
  expect(chats.standing(chat).state).toBe('idle');
  expect(countMessages()).toBe(before + 1);
});

test('the thread of a chat is read from the messages that it has', async () => {
  const { api, countMessages } = begin();
  const chat = await givenIdleChat(api);
  const first = await givenThread(api, chat);
  const before = countMessages();
  const { last, expectedParent } = await givenThread(api, chat);
  expect([last.userMessageId, last.text, expectedParent]).toEqual([
    first.last.userMessageId,
    first.last.text,
    first.expectedParent,
  ]);
  expect(first.expectedParent).toBeDefined();
  expect(countMessages()).toBe(before);
});

test('a chat whose last two messages are known is preferred to a fresh one', async () => {
  const { api, chats } = begin();
  const [first, second] = chats.all;
  const chat = await givenChat(api, (one) => one === second);
  await givenThread(api, chat);
  chats.release(chat);
  expect(await givenThreadChat(api)).toBe(second);
  expect(await givenThreadChat(api, (one) => one === first)).toBe(first);
});
