import { expect, test } from 'vitest';
import { baseUrl, brokenIn, entryAt, harOf } from '../../testing/try-traffic.ts';

/** A recorded account, read in that second. */
function reading(second: number, createdAt: string, id = 'b') {
  const entry = entryAt(second, 'GET', 'o/models', { data: { id, createdAt } });
  return { ...entry, request: { ...entry.request, url: `${baseUrl}/api/public/billing-accounts/${id}` } };
}

const [old, recent] = ['2026-01-01T00:00:00Z', '2026-01-03T00:00:00Z'];
const recordings: readonly [string, readonly ReturnType<typeof reading>[], boolean][] = [
  ['another time, and the first again', [reading(1, old), reading(2, recent), reading(3, old)], true],
  ['an account made anew', [reading(1, old), reading(2, recent), reading(3, recent)], false],
  ['one time in two precisions', [reading(1, old), reading(2, '2026-01-01T00:00:00.412Z'), reading(3, old)], false],
  ['two accounts', [reading(1, old), reading(2, recent, 'c'), reading(3, old)], false],
  ['readings at once', [reading(1, old), reading(1, recent), reading(1, old)], false],
];

test.for(recordings)('an account is read again: %s', ([, entries, breaks]) => {
  expect(brokenIn(harOf(entries), undefined).includes('billing.created-once')).toBe(breaks);
});

/** A recorded answer to a message, sent in that second. */
function answerTo(second: number, createdAt: string) {
  const chat = { id: 'c', organizationId: 'o', createdAt };
  const entry = entryAt(second, 'POST', 'o/chats/c/messages', {
    data: { chat, userMessage: {}, assistantMessage: {} },
  });
  return { ...entry, request: { ...entry.request, postData: { text: '{"message":"ok"}' } } };
}

test.each([
  ['another time, and the first again', [answerTo(1, old), answerTo(2, recent), answerTo(3, old)], true],
  ['the same time', [answerTo(1, old), answerTo(2, old), answerTo(3, old)], false],
])('a chat is shown again: %s', (_what, entries, breaks) => {
  expect(brokenIn(harOf(entries), undefined).includes('messages.chat-created-once')).toBe(breaks);
});
