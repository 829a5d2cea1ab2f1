import { expect, test } from 'vitest';
import { createReference } from '../../../reference/reference.ts';
import { Api, as } from '../../api.ts';
import { virtualClock } from '../../../core/clock.ts';
import { isHeldInFull, quickPromptWait, rememberHeld, slowPromptWait } from './choose-wait.ts';
import { createSession } from '../session.ts';

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
    const wait = quickPromptWait(session);
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
  expect(slowPromptWait(session)).toBeLessThan(30);
});

test('a response that ends just as its wait does is no wait held in full', async () => {
  const { session, waits } = await waitsFor([9900, 9500, 9500, 9500], false);
  expect(waits).toEqual([10, 3, 10, 10]);
  expect(isHeldInFull(session)).toBe(false);
  expect(slowPromptWait(session)).toBe(30);
});
