import { expect, test } from 'vitest';
import { virtualClock } from '../core/clock.ts';
import { TransportError } from '../core/http.ts';
import { createReference } from '../reference/reference.ts';
import { Api, as } from './api.ts';
import { createSession } from './session/session.ts';
import { messageTimeoutMs } from './timeouts.ts';

/** How long answers to messages with these waits are waited for, in milliseconds, after one with `sent` was not answered. */
async function timeoutsAfter(sent: string, waits: readonly string[]): Promise<readonly number[]> {
  const clock = virtualClock();
  const { target } = createReference({ clock, seed: 1 });
  const deployment = () => Promise.reject(new TransportError('timeout', 'no answer'));
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  const [chat] = session.chats.all;
  if (chat === undefined) throw new Error('the reference has no chat');
  const api = new Api(session, 'test');
  const message = { message: 'Reply with ok.', wait: sent, key: api.freshKey() };
  await expect(api.sendMessage(as(chat.admin), chat, message)).rejects.toThrow(TransportError);
  return waits.map((wait) => messageTimeoutMs(session, message.message, wait));
}

test('only after an unanswered wait out of range is the next such wait given less time', async () => {
  const [range = 0, outOfRange = 0] = await timeoutsAfter('5', ['10', '301']);
  const [later = 0, less = 0] = await timeoutsAfter('301', ['10', '301']);
  expect(range).toBe(30_000);
  expect(later).toBe(range);
  expect(less).toBeLessThan(outOfRange);
});
