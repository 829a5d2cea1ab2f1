import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import type { Deployment } from '../../core/http.ts';
import { Api } from '../../engine/api.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { latestIn, rememberLeft, rememberStuck } from '../../stage/chats/latest-message.ts';
import { send } from '../../stage/chats/sending.ts';
import { mustNotStayBusy } from './stuck-chat.ts';

/**
 * A chat that refused messages 36 s after one whose text others answered within a second, and what is answered at the end: to that one,
 * to the next message, and so on. The client of that message may have left before the answer.
 */
async function judge(refusals: number, atLast: readonly number[], hasLeft = false): Promise<void> {
  const clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  const statuses = [200, 200, 200, 202, ...Array<number>(refusals).fill(409), ...atLast].values();
  const deployment: Deployment = async () => {
    await clock.sleep(1000);
    const body = Buffer.from('{"data":{"userMessage":{"id":"a"},"assistantMessage":{"id":"b"}}}');
    return { status: statuses.next().value ?? 200, headers: { 'content-type': 'application/json' }, body };
  };
  const api = new Api(createSession({ deployment, target, clock, seed: 1, invariants: [] }), 'test');
  const [chat] = api.session.chats.all;
  if (chat === undefined) throw new Error('the reference has no chat');
  const message = target.assistant.slowPrompt;
  for (let others = 0; others < 3; others += 1) await send(api, chat, { message, wait: 30 });
  await send(api, chat, { message });
  if (hasLeft) rememberLeft(api.session, chat, latestIn(api.session, chat)?.key ?? '');
  await clock.sleep(36_000);
  for (let count = 0; count < refusals; count += 1)
    rememberStuck(api.session, chat, await send(api, chat, { message: 'next' }));
  await mustNotStayBusy(api);
}

test('a response that took far longer than others and is finished at the end was slow', async () => {
  await expect(judge(1, [200, 202])).resolves.toBeUndefined();
});

test('a response that is still generating after far longer than others is stuck', async () => {
  await expect(judge(1, [202, 409])).rejects.toThrow();
});

test('a repetition that shows the first answer for good is no trace of a response that is stuck', async () => {
  await expect(judge(1, [202, 202])).resolves.toBeUndefined();
});

test('a chat that was given up twice is sent one message, which may keep it busy', async () => {
  await expect(judge(2, [200, 202, 200, 409])).resolves.toBeUndefined();
});

test('a chat that refuses the next message after a finished response is stuck', async () => {
  await expect(judge(2, [200, 409])).rejects.toThrow();
});

test('a chat that refuses the next message after one whose client left is stuck, although no check waited for it', async () => {
  await expect(judge(0, [200, ...Array<number>(100).fill(409)], true)).rejects.toThrow();
  await expect(judge(0, [200, 202], true)).resolves.toBeUndefined();
});

test('a chat that refuses one message after one whose client left may be used by another client', async () => {
  await expect(judge(0, [200, 409, 202], true)).resolves.toBeUndefined();
});
