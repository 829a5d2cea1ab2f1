import { expect, test } from 'vitest';
import { virtualClock } from '../../core/clock.ts';
import { type Answer, answerOf, type Exchange } from '../../core/exchange.ts';
import { createSession, type Session } from '../../engine/session/session.ts';
import { createReference } from '../../reference/reference.ts';
import { areAcceptedNext, refusedIdleIn, sendNext } from './next-messages.ts';

function openRun(): Session {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  return createSession({ deployment, target, clock, seed: 1, invariants: [] });
}

function answered(status: number, sentAt: number, receivedAt = sentAt + 10): Answer {
  return shown(status, sentAt, undefined, receivedAt);
}

/** An answer with that data. */
function shown(status: number, sentAt: number, data: unknown, receivedAt = sentAt + 10): Answer {
  const exchange: Exchange = {
    operation: 'sendMessage',
    caller: 'alice',
    request: { method: 'POST', path: '/', headers: {}, timeoutMs: 1 },
    sentAt,
    receivedAt,
    outcome: { kind: 'answered', response: { status, headers: {}, body: Buffer.from(JSON.stringify({ data })) } },
  };
  const answer = answerOf(exchange);
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

const usual = { message: openRun().target.assistant.quickPrompt };

/** Messages to one chat, each so many milliseconds after a finished response; undefined where that is not known. */
async function send(session: Session, ...messages: readonly (readonly [status: number, afterMs?: number])[]) {
  const [chat] = session.chats.all;
  if (chat === undefined) throw new Error('no chat');
  let now = 0;
  for (const [status, afterMs] of messages) {
    now += 100_000;
    if (afterMs === undefined) session.chats.mark(chat, 'unknown');
    else session.chats.markFinished(chat, answered(200, now - 10, now));
    await sendNext(session, chat, usual, () => Promise.resolve(answered(status, now + (afterMs ?? 0))));
  }
}

/** The tolerance of the target file, and when a message that comes after a response no longer comes soon after it. */
const { toleranceMs } = openRun().target.limits;
const soonMs = toleranceMs + 1000;

test.each<[boolean, string, readonly (readonly [number, number?])[]]>([
  [
    true,
    'two are accepted',
    [
      [202, 0],
      [202, soonMs],
    ],
  ],
  [false, 'one is accepted', [[202, 0]]],
  [
    false,
    'the second one comes late',
    [
      [202, 0],
      [202, soonMs + 1],
    ],
  ],
  [false, 'the last response of the second one may not have finished', [[202, 0], [202]]],
  [
    false,
    'one is refused in between',
    [
      [202, 0],
      [404, 0],
      [202, 0],
    ],
  ],
  [
    true,
    'one is refused after them',
    [
      [202, 0],
      [202, 0],
      [404, 0],
    ],
  ],
  [
    false,
    'one is refused with 409 at any time',
    [
      [202, 0],
      [202, 0],
      [409, toleranceMs],
    ],
  ],
  [
    true,
    'one is refused with 409 within the tolerance',
    [
      [202, 0],
      [202, 0],
      [409, toleranceMs - 1],
    ],
  ],
])('two messages after finished responses are accepted, %s: %s', async (expected, _what, messages) => {
  const session = openRun();
  await send(session, ...messages);
  expect(areAcceptedNext(session, 2)).toBe(expected);
});

test('a message that is sent while another one is not answered shows nothing', async () => {
  const session = openRun();
  await send(session, [202, 0]);
  const [chat] = session.chats.all;
  if (chat === undefined) throw new Error('no chat');
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const held = sendNext(session, chat, usual, () => promise);
  await send(session, [202, 0]);
  resolve(answered(404, 0));
  await held;
  expect(areAcceptedNext(session, 2)).toBe(false);
  await send(session, [202, 0], [202, 0]);
  expect(areAcceptedNext(session, 2)).toBe(true);
});

test('a 409 to a message shows nothing if another one was sent before its answer', async () => {
  const session = openRun();
  await send(session, [202, 0], [202, 0]);
  const [chat] = session.chats.all;
  if (chat === undefined) throw new Error('no chat');
  session.chats.markFinished(chat, answered(200, 0));
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const early = sendNext(session, chat, usual, () => promise);
  await sendNext(session, chat, usual, async () => answered(202, toleranceMs));
  resolve(answered(409, toleranceMs));
  await early;
  expect(areAcceptedNext(session, 2)).toBe(true);
});

test.each([
  ['the next message follows the finished response', 'a', true, 1],
  ['the next message follows the one that it answered', 'u', true, 1],
  ['the next message follows another one', 'z', true, 0],
  ['the next message names no parent', '', true, 0],
  ['its key is an older one', 'a', false, 0],
])('a 409 of an idle chat: %s', async (_case, parent, isFresh, count) => {
  const session = openRun();
  const [chat] = session.chats.all;
  if (chat === undefined) throw new Error('no chat');
  const finished = shown(200, 90, { userMessage: { id: 'u' }, assistantMessage: { id: 'a' } });
  session.chats.markFinished(chat, finished);
  const next = { userMessage: { id: 'u2', parentId: parent }, assistantMessage: { id: 'a2' } };
  await sendNext(session, chat, usual, () => Promise.resolve(shown(409, 100 + toleranceMs, undefined)), isFresh);
  session.chats.markBusy(chat);
  await sendNext(session, chat, usual, () => Promise.resolve(shown(202, 10_000, next)));
  expect(refusedIdleIn(session)).toHaveLength(count);
});

test.each([
  ['it is empty', { message: '' }],
  ['its body is no object', { ...usual, body: '[]' }],
  ['its content type is another one', { ...usual, contentType: 'text/plain' }],
  ['its wait is too long', { ...usual, wait: 301 }],
  ['its wait is no number', { ...usual, wait: 'soon' }],
])('a 409 to an invalid message says nothing about an idle chat: %s', async (_case, draft) => {
  const session = openRun();
  const [chat] = session.chats.all;
  if (chat === undefined) throw new Error('no chat');
  session.chats.markFinished(chat, shown(200, 90, { userMessage: { id: 'u' }, assistantMessage: { id: 'a' } }));
  await sendNext(session, chat, draft, () => Promise.resolve(shown(409, 100 + toleranceMs, undefined)));
  const next = { userMessage: { id: 'u2', parentId: 'a' }, assistantMessage: { id: 'a2' } };
  await sendNext(session, chat, usual, () => Promise.resolve(shown(202, 10_000, next)));
  expect(refusedIdleIn(session)).toEqual([]);
});

/** How long an idle chat refuses messages, in milliseconds, so that a repetition in between explains nothing. */
const longMs = toleranceMs + 2000;

test.each([
  ['long, and the next message follows the finished response', longMs, 'a', 1],
  ['long, and the next message follows another one', longMs, 'z', 0],
  ['less', longMs - 1, 'a', 0],
])(
  'a chat refuses messages after a finished response that was repeated: for %s',
  async (_case, lastedMs, parent, count) => {
    const session = openRun();
    const [chat] = session.chats.all;
    if (chat === undefined) throw new Error('no chat');
    const finished = shown(200, 90, { userMessage: { id: 'u' }, assistantMessage: { id: 'a' } });
    session.chats.markFinished(chat, finished, 'repetition');
    // The time since the finished response does not count.
    for (const afterMs of [20_000, 20_000 + lastedMs]) {
      await sendNext(session, chat, usual, () => Promise.resolve(shown(409, afterMs, undefined)));
      session.chats.markBusy(chat);
    }
    const next = { userMessage: { id: 'u2', parentId: parent }, assistantMessage: { id: 'a2' } };
    await sendNext(session, chat, usual, () => Promise.resolve(shown(202, 60_000, next)));
    expect(refusedIdleIn(session)).toHaveLength(count);
  },
);
