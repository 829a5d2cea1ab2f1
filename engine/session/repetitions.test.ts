import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { type Answer, answerOf } from '../../core/exchange.ts';
import { createReference } from '../../reference/reference.ts';
import { repetitionsOf, sendRepeatable } from './repetitions.ts';
import { createSession } from './session.ts';

function begin() {
  const clock = virtualClock();
  const session = createSession({ ...createReference({ clock, seed: 1 }), clock, seed: 1, invariants: [] });

  async function answered(status: number, overMs: number, path = '/'): Promise<Answer> {
    const sentAt = clock.now();
    await clock.sleep(overMs);
    const ids = { data: { userMessage: { id: 'one' }, assistantMessage: { id: 'two' } } };
    const answer = answerOf({
      operation: 'sendMessage',
      caller: 'alice',
      request: { method: 'POST', path, headers: {}, timeoutMs: 1000 },
      sentAt,
      receivedAt: clock.now(),
      outcome: {
        kind: 'answered',
        response: { status, headers: {}, body: Buffer.from(JSON.stringify(status < 300 ? ids : {})) },
      },
    });
    if (answer === undefined) throw new Error('an answered exchange has an answer');
    return answer;
  }

  const send = (status: number, overMs = 10) => sendRepeatable(session, ['key'], () => answered(status, overMs));
  const sendOther = (key: string, status: number, wait?: number) =>
    sendRepeatable(session, [key], () => answered(status, 10, wait === undefined ? '/' : `/?wait=${wait}`));
  return { send, sendOther, clock, session, judged: () => repetitionsOf(session) };
}

test('a repetition that shows the same messages is kept, and a refused one is broken', async () => {
  const { send, judged } = begin();
  await send(202);
  await send(202);
  expect(judged()).toMatchObject({ count: 1, judgement: undefined });
  await send(409);
  expect(judged()).toMatchObject({ count: 2, judgement: { expected: '200 or 202' } });
});

test('a 409 before the first accepted request is no repetition', async () => {
  const { send, judged } = begin();
  await send(409);
  await send(202);
  expect(judged().count).toBe(0);
});

test('a 409 is left out while the same request is under way, or if one was lost', async () => {
  const { send, clock, session, judged } = begin();
  await send(202);
  const held = send(202, 1000);
  await clock.sleep(100);
  await Promise.all([send(409), held]);
  expect(judged()).toMatchObject({ count: 1, judgement: undefined });
  const lost = sendRepeatable(session, ['key'], () => Promise.reject(new Error('lost')));
  await expect(lost).rejects.toThrow('lost');
  await send(409);
  expect(judged()).toMatchObject({ count: 1, judgement: undefined });
});

test.each([
  ['twice, and others like these are accepted', true, [200, 409, 409], 3, 200],
  ['twice as invalid, and others like these are accepted', true, [200, 400, 422], 3, 200],
  ['once', false, [200, 200, 409], 3, 200],
  ['each time', false, [409, 409, 409], 3, 200],
  ['twice by a limit or an error', false, [200, 429, 500, 503], 3, 200],
  ['twice, and only those without a wait are accepted', false, [200, 409, 409], undefined, 200],
  ['twice, and only those with a shorter wait are accepted', false, [200, 409, 409], 1, 200],
  ['twice, while the response may be generating', false, [200, 409, 409], 3, 202],
])('a repetition with another wait is refused %s: judged %s', async (_how, isBroken, statuses, accepted, first) => {
  const { sendOther, judged } = begin();
  for (const [place, status] of statuses.entries()) {
    await sendOther(`${place}`, first, 2);
    await sendOther(`${place}`, status, status === 200 ? accepted : 3);
  }
  expect(judged().judgement !== undefined).toBe(isBroken);
});
