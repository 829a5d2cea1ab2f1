import { expect, test } from 'vitest';
import type { Deployment } from '../../core/http.ts';
import { saidBy } from '../../testing/said-by.ts';

/** Checks that send the messages which others judge too. */
const senders = [
  'messages.accepted-is-generating',
  'message.minimum',
  'wait.ends/side-by-side',
  'conflict.refused',
  'idempotency.after',
] as const;

/** How many messages are sent while the check is judged after those that send. */
async function sentWith(id: string): Promise<number> {
  let sent = 0;
  const through =
    (behind: Deployment): Deployment =>
    (request) => {
      if (request.path.includes('/messages')) sent += 1;
      return behind(request);
    };
  expect(await saidBy(id, { through, after: senders })).toEqual([]);
  return sent;
}

// A message costs money.
test.each([
  'messages.success-status',
  'messages.envelope',
  'messages.chat-types',
  'messages.message-types',
  'messages.chat-is-the-path',
  'messages.distinct-ids',
  'messages.distinct-ids/without-key',
  'messages.accepted-is-generating/after-wait',
  'messages.ok-is-finished',
  'messages.ok-is-finished/after-wait',
  'messages.immediate',
  'messages.parent-in-chat',
  'messages.parent-in-chat/two-chats',
  'messages.text/values',
  'message.content-type',
  'message.maximum/any-length',
  'wait.holds',
  'wait.holds/any-wait',
  'wait.holds/long',
  'wait.holds/at-last',
  'wait.ends',
  'wait.minimum',
  'wait.maximum',
  'idempotency.while-generating/after-wait',
  'idempotency.key-maximum',
  'idempotency.after/refused-before',
  'conflict.refused/after-wait',
  'conflict.body',
  'conflict.other-chat',
  'conflict.ends',
  'conflict.ends/after-wait',
])('%s judges messages that were sent before, and sends none', async (id) => {
  expect(await sentWith(id)).toBe(await sentWith(senders[0]));
});
