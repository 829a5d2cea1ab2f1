import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { type Answer, answerOf, type Exchange } from '../../core/exchange.ts';
import { as } from '../../engine/api.ts';
import { createSession } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { rememberLatest } from './latest-message.ts';
import { mayLoseResponses, rememberNext, rememberOutcome } from './lost-responses.ts';

/** An answer to a message with that wait, in milliseconds of the clock. */
function answered(status: number, wait: number, sentAt: number, receivedAt: number): Answer {
  const exchange: Exchange = {
    operation: 'sendMessage',
    caller: 'alice',
    request: { method: 'POST', path: `/messages?wait=${wait}`, headers: {}, timeoutMs: 1 },
    sentAt,
    receivedAt,
    outcome: { kind: 'answered', response: { status, headers: {}, body: new Uint8Array() } },
  };
  const answer = answerOf(exchange);
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

/** Whether a message with wait=10 that was answered then, and the next message so many milliseconds later, are suspect. */
function isSuspect(held: readonly [status: number, afterMs: number], next: readonly [status: number, afterMs: number]) {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  const [chat, other] = session.chats.all;
  if (chat === undefined || other === undefined) throw new Error('the reference has too few chats');
  const text = target.assistant.quickPrompt;
  const usual = answered(200, 10, 0, 4000);
  rememberLatest(session, { chat: other, caller: as(other.admin), key: 'key', text, answer: usual });
  rememberOutcome(session, chat, text, answered(held[0], 10, 10_000, 10_000 + held[1]));
  const sentAt = 10_000 + held[1] + next[1];
  rememberNext(session, chat, answered(next[0], 10, sentAt, sentAt + 10));
  return mayLoseResponses(session);
}

test.each([
  [true, 'a 202 at the end of the wait, and the next message is accepted at once', [202, 10_000], [202, 10]],
  [false, 'the next message is refused', [202, 10_000], [409, 10]],
  [false, 'the next message is accepted later', [202, 10_000], [202, 2000]],
  [false, 'a 202 before the end of the wait', [202, 5000], [202, 10]],
  [false, 'the response has finished', [200, 10_000], [202, 10]],
] as const)('suspect: %s, because %s', (expected, _why, held, next) => {
  expect(isSuspect(held, next)).toBe(expected);
});
