import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { createReference } from '../../reference/reference.ts';
import { answerTimeoutMs } from '../timeouts.ts';
import { heldForMs, holding } from './held-requests.ts';
import { createSession } from './session.ts';

test('answers are waited for longer while a request is held, until its wait is over', async () => {
  const clock = virtualClock();
  const session = createSession({ ...createReference({ clock, seed: 1 }), clock, seed: 1, invariants: [] });
  const usualMs = answerTimeoutMs(session);
  const seen: number[] = [];
  await holding(session, 30, async () => {
    seen.push(heldForMs(session), answerTimeoutMs(session) - usualMs);
    await clock.sleep(10_000);
    seen.push(heldForMs(session));
    await holding(session, 5, async () => seen.push(heldForMs(session)));
    await clock.sleep(30_000);
    seen.push(heldForMs(session));
  });
  expect(seen).toEqual([30_000, 30_000, 20_000, 20_000, 0]);
  await expect(holding(session, 30, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  expect(heldForMs(session)).toBe(0);
});
