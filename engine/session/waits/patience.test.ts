import { expect, test } from 'vitest';
import { createReference } from '../../../reference/reference.ts';
import { virtualClock } from '../../../core/clock.ts';
import { idlePatienceMs, stayedBusy } from './patience.ts';
import { createSession } from '../session.ts';

test('a chat that stayed busy is not waited for again, and every other one for less long', () => {
  const clock = virtualClock();
  const session = createSession({ ...createReference({ clock, seed: 1 }), clock, seed: 1, invariants: [] });
  const [chat, other] = session.chats.all;
  if (chat === undefined || other === undefined) throw new Error('the reference has fewer than two chats');
  const before = idlePatienceMs(session, other);
  stayedBusy(session, chat);
  expect(idlePatienceMs(session, chat)).toBe(0);
  const after = idlePatienceMs(session, other);
  expect(after).toBeLessThan(before);
  stayedBusy(session, chat); // A chat counts once.
  expect(idlePatienceMs(session, other)).toBe(after);
});
