import { expect, test } from 'vitest';
import { brokenIn, entryAt, harOf } from '../../testing/try-traffic.ts';

/** A message with a key, sent in that second, whose answer shows a message with the ID. */
function keyedMessage(second: number, key: string, id: string, text: string) {
  const message = { chatId: 'chat_1', text };
  const data = {
    chat: { id: 'chat_1' },
    userMessage: { id: `${id}-user`, ...message },
    assistantMessage: { id, chatId: 'chat_1', status: 'completed' },
  };
  const more = { asked: { message: text }, headers: { 'Idempotency-Key': key } };
  return entryAt(second, 'POST', 'org_1/chats/chat_1/messages', { data }, more);
}

const redacted = '[REDACTED]';

test.each([
  ['two keys that differ in case show one message', ['key-a', 'KEY-A'], ['m1', 'm1'], ['idempotency.opaque']],
  ['two keys show two messages', ['key-a', 'key-b'], ['m1', 'm2'], []],
  ['one key shows two messages', ['key-a', 'key-a'], ['m1', 'm2'], ['idempotency.after']],
  ['two replaced keys show two messages', [redacted, redacted], ['m1', 'm2'], []],
  ['a key and a replaced one show one message', ['key-a', redacted], ['m1', 'm1'], []],
  ['two keys show one message, and one may be a list', ['key-a', 'key-a, key-b'], ['m1', 'm1'], []],
])('%s', (_case, keys, ids, expected) => {
  const entries = keys.map((key, index) => keyedMessage(index, key, ids[index] ?? '', 'hello'));
  expect(brokenIn(harOf(entries), 'idempotency-key')).toEqual(expected);
});

test('two messages with one ID have no IDs of their own', () => {
  const entries = [keyedMessage(0, 'key-a', 'm1', 'hello'), keyedMessage(1, 'key-b', 'm1', 'goodbye')];
  expect(brokenIn(harOf(entries), 'idempotency-key')).toEqual(['messages.distinct-ids']);
});

test.each([
  ['another text of a finished response', [200, 200], ['It rose.', 'It fell.'], ['idempotency.after']],
  ['the same text', [200, 200], ['It rose.', 'It rose.'], []],
  ['a text that grows until the response is finished', [202, 200], ['It', 'It rose.'], []],
  ['the first answer once more', [200, 202], ['It rose.', 'It'], []],
  ['a finished response without its text', [200, 200], ['It rose.', ''], ['idempotency.after']],
  ['a text that the first answer did not show', [200, 200], ['', 'It rose.'], []],
])('one key shows %s', (_case, statuses, texts, expected) => {
  const entries = statuses.map((status, index) => {
    const data = {
      chat: { id: 'chat_1' },
      userMessage: { id: 'm1-user', chatId: 'chat_1', text: 'hello' },
      assistantMessage: { id: 'm1', chatId: 'chat_1', text: texts[index] },
    };
    const more = { status, asked: { message: 'hello' }, headers: { 'Idempotency-Key': 'key-a' } };
    return entryAt(index, 'POST', 'org_1/chats/chat_1/messages', { data }, more);
  });
  expect(brokenIn(harOf(entries), 'idempotency-key')).toEqual(expected);
});
