import { expect, test } from 'vitest';
import type { Exchange } from '../../core/exchange.ts';
import { virtualClock } from '../../core/clock.ts';
import { createReference } from '../../reference/reference.ts';
import { chatOfOthers, noteWrite, writing } from './other-writers.ts';
import { createSession } from './session.ts';

/** A message request: the ID of the message or the status of the refusal, the ID that it follows, and whether the answer shows one or both. */
type Sent = readonly [what: string | number, parent?: string | undefined, shows?: 'one' | 'both', key?: string];

/** A run that sent these requests to a chat, one each second. */
function runThatSent(sent: readonly Sent[]) {
  const clock = virtualClock();
  const { deployment, target } = createReference({ clock, seed: 1 });
  const session = createSession({ deployment, target, clock, seed: 1, invariants: [] });
  const begunAt = clock.now();
  const exchanges = sent.map(([what, parentId, shows = 'both', key], second): Exchange => {
    const isRefused = typeof what === 'number';
    const assistantMessage = shows === 'both' ? { id: `${what}+` } : undefined;
    const data = { userMessage: { id: what, parentId }, assistantMessage };
    const body = Buffer.from(JSON.stringify(isRefused ? { error: { title: '', detail: '' } } : { data }));
    const response = { status: isRefused ? what : 200, headers: { 'content-type': 'application/json' }, body };
    const path = '/api/public/organizations/org/chats/chat_1/messages';
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    const request = { method: 'POST', path, headers, timeoutMs: 1 } as const;
    const sentAt = begunAt + 1000 * second;
    const times = { sentAt, receivedAt: sentAt + 10 };
    return { operation: 'sendMessage', caller: 'alice', request, ...times, outcome: { kind: 'answered', response } };
  });
  for (const exchange of exchanges) noteWrite(session, exchange);
  return { session, exchanges };
}

const own: readonly Sent[] = [
  ['a', 'before'],
  ['b', 'a+'],
  ['c', 'b+'],
];

test.each<[string, string | undefined, readonly Sent[], number?]>([
  ['only own messages', undefined, own],
  ['a strange message', 'chat_1', [...own, ['d', 'strange']]],
  ['a strange message after a refused one', undefined, [...own, [429], ['d', 'strange']]],
  ['a strange message after a conflict in a free chat', 'chat_1', [...own, [409], [409], ['d', 'strange']]],
  ['a strange message after a conflict behind a refused one', undefined, [...own, [400], [409], ['d', 'strange']]],
  [
    'a strange message after one that was refused, and accepted when it was sent again',
    undefined,
    [...own, [500, undefined, 'both', 'k'], ['d', 'c+', 'both', 'k'], ['e', 'strange']],
    2,
  ],
  [
    'the same, if the repetition is not in the evidence',
    'chat_1',
    [...own, [500, undefined, 'both', 'k'], ['d', 'c+', 'both', 'k'], ['e', 'strange']],
    1,
  ],
  ['a strange message that was there before', undefined, [...own, ['d', 'before']]],
  [
    'a strange message, and one own message that follows another',
    undefined,
    [
      ['a', 'before'],
      ['b', 'a+'],
      ['c', 'x'],
    ],
  ],
  [
    'parents that are never own messages',
    undefined,
    [
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'z'],
    ],
  ],
  ['a strange message after a repetition that no evidence holds', 'chat_1', [...own, ['c', 'b+'], ['d', 'strange']]],
  ['a strange message after an answer that shows one of its two', undefined, [...own, ['d', 'c+', 'one'], ['e', 'd+']]],
  [
    'a strange message some time after an answer that shows one of its two',
    'chat_1',
    [...own, ['d', 'c+', 'one'], ['e', 'd+'], ['f', 'strange']],
  ],
  ['a strange message after a repetition', undefined, [...own, ['c', 'b+'], ['d', 'strange']], 2],
  [
    'a strange message after a repetition, and then a conflict',
    'chat_1',
    [...own, ['c', 'b+'], ['d', 'strange'], [409]],
    3,
  ],
])('the chat is shared after %s: %s', (_what, expected, sent, count = 0) => {
  const { session, exchanges } = runThatSent(sent);
  expect(chatOfOthers(session, count === 0 ? [] : exchanges.slice(-count))).toBe(expected);
});

test.each([
  ['since before', 2500, undefined],
  ['since later', 3500, 'chat_1'],
] as const)('a strange message, and another one that is under way %s', async (_when, ms, expected) => {
  const { session } = runThatSent([...own, ['d', 'strange']]);
  await session.clock.sleep(ms);
  const answer = Promise.withResolvers<void>();
  const sending = writing(session, 'chat_1', () => answer.promise);
  expect(chatOfOthers(session)).toBe(expected);
  answer.resolve();
  await sending;
  expect(chatOfOthers(session)).toBe('chat_1');
});
