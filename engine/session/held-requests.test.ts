import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { createReference } from '../../reference/reference.ts';
import { Api, as } from '../api.ts';
import { answerTimeoutMs } from '../timeouts.ts';
import { heldForMs, holding, lostForMs } from './held-requests.ts';
import { rememberHeld } from './waits/choose-wait.ts';
import { createSession } from './session.ts';

const message = 'Reply with ok.';

test('answers are waited for longer while a request is held, until its wait is over', async () => {
  const clock = virtualClock();
  const session = createSession({ ...createReference({ clock, seed: 1 }), clock, seed: 1, invariants: [] });
  const usualMs = answerTimeoutMs(session);
  const seen: number[] = [];
  await holding(session, { message, wait: 30 }, async () => {
    seen.push(heldForMs(session), answerTimeoutMs(session) - usualMs);
    await clock.sleep(10_000);
    seen.push(heldForMs(session));
    await holding(session, { message, wait: 5 }, async () => seen.push(heldForMs(session)));
    await clock.sleep(30_000);
    seen.push(heldForMs(session));
  });
  expect(seen).toEqual([30_000, 30_000, 20_000, 20_000, 0]);
  await expect(holding(session, { message, wait: 30 }, () => Promise.reject(new Error('lost')))).rejects.toThrow(
    'lost',
  );
  // The client gave it up, and the server may go on.
  expect([heldForMs(session), lostForMs(session)]).toEqual([0, 30_000]);
  await clock.sleep(30_000);
  expect(lostForMs(session)).toBe(0);
});

test('a long wait ends with its response: it is not waited for longer than a response may take', async () => {
  const clock = virtualClock();
  const reference = createReference({ clock, seed: 1 });
  const session = createSession({ ...reference, clock, seed: 1, invariants: [] });
  const { quickPrompt, slowPrompt, timeoutSeconds } = reference.target.assistant;
  const heldMs = (prompt: string) => holding(session, { message: prompt, wait: 300 }, async () => heldForMs(session));
  expect(await heldMs(quickPrompt)).toBe(1000 * timeoutSeconds);
  const [chat] = session.chats.all;
  if (chat === undefined) throw new Error('the reference has no chat');
  const api = new Api(session, 'test');
  const answer = await api.sendMessage(as(chat.admin), chat, { message: quickPrompt, wait: 10, key: api.freshKey() });
  rememberHeld(session, quickPrompt, 10, answer);
  expect(await heldMs(quickPrompt)).toBe(30_000);
  expect(await heldMs(slowPrompt)).toBe(1000 * timeoutSeconds);
});
