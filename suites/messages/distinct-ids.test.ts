import { expect, test } from 'vitest';
import type { Deployment } from '../../core/http.ts';
import { saidBy } from '../../testing/said-by.ts';

/** A deployment with a connection for each chat, which keeps the key of a message for the next one that has none. */
function keepingKeys(behind: Deployment): Deployment {
  const kept = new Map<string, string | undefined>();
  return (request) => {
    const [, chat] = /\/chats\/([^/]+)\/messages/.exec(request.path) ?? [];
    if (chat === undefined) return behind(request);
    const { 'idempotency-key': own, ...headers } = request.headers;
    const key = own ?? (request.follows === true ? kept.get(chat) : undefined);
    kept.set(chat, own);
    return behind(key === undefined ? request : { ...request, headers: { ...headers, 'idempotency-key': key } });
  };
}

test('a message without a key that gets the messages of the one before it on its connection is found', async () => {
  const choices = { 'replay-of-other-text': '422' };
  expect(await saidBy('messages.distinct-ids/without-key', { choices, through: keepingKeys })).toEqual([
    expect.stringMatching(/^failed: .+ twice/),
  ]);
});

test('messages without a key may be refused', async () => {
  const choices = { 'key-required': 'yes' };
  expect(await saidBy('messages.distinct-ids/without-key', { choices })).toEqual([
    expect.stringMatching(/^blocked: a message without a key was answered 4/),
  ]);
});
