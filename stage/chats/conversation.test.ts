import { expect, test } from 'vitest';
import { createReference } from '../../reference/reference.ts';
import { Api } from '../../engine/api.ts';
import { virtualClock } from '../../core/clock.ts';
import { givenChat, givenIdleChat } from './conversation.ts';
import { send, sendWhenFree } from './sending.ts';
import type { Deployment } from '../../core/http.ts';
import { createSession } from '../../engine/session/session.ts';

/** A check at work on the reference, with an assistant that is given two seconds to answer. */
function begin(wrap: (reference: Deployment) => Deployment = (reference) => reference) {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const { assistant } = target;
  const hasty = { ...target, assistant: { ...assistant, timeoutSeconds: 2 } };
  const session = createSession({ deployment: wrap(deployment), target: hasty, clock, seed: 1, invariants: [] });
  return { api: new Api(session, 'test'), assistant, chats: session.chats };
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
