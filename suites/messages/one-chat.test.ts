import { expect, test } from 'vitest';
import type { Target } from '../../core/target.ts';
import { refusing } from '../../testing/answers/refusing.ts';
import { saidBy } from '../../testing/said-by.ts';

/**
 * With two chats, many checks judge messages that they share, and send none of their own where these show enough. With one chat they
 * must send their own.
 */
const oneChat = (target: Target): Target => ({
  ...target,
  organizations: target.organizations.map((one, index) => ({
    ...one,
    chats: index === 0 ? one.chats.slice(0, 1) : [],
  })),
});

const faultsBy: Readonly<Record<string, readonly string[]>> = {
  'messages.accepted-is-generating': ['accepted-says-completed', 'always-202'],
  'messages.ok-is-finished': ['always-200', 'finished-says-generating', 'repetition-says-finished'],
  'messages.ok-is-finished/after-wait': ['always-200', 'wait-over-200'],
  'messages.immediate': ['always-held', 'held-two-seconds'],
  'messages.immediate/repeated': ['held-two-seconds', 'repetition-held'],
  'conflict.refused': ['busy-chat-accepts', 'busy-chat-queues-with-wait', 'chat-lock-expires'],
  'conflict.refused/lost-answer': ['chat-freed-with-client', 'lock-of-each-node'],
  'conflict.refused/to-the-end': ['busy-chat-accepts', 'busy-now-and-then-unseen', 'chat-lock-expires-late'],
  'conflict.race': ['busy-seen-late', 'same-text-joins'],
  'conflict.no-trace': ['conflict-names-chat', 'conflict-replaces-text', 'conflict-text-comes-next'],
  'conflict.no-trace/prolonged': ['conflict-prolongs', 'conflict-starts-over', 'first-conflict-prolongs'],
  'conflict.ends': ['chat-busy-until-next-second', 'chat-lock-lingers-for-seconds', 'response-delivered-again'],
  'conflict.ends/after-wait': ['lock-kept-when-wait-is-over'],
  'wait.finishes': ['finish-seen-late', 'response-lasts-as-long-as-wait', 'whole-wait-held'],
  'wait.finishes/repeated': ['finished-is-waited-for', 'whole-wait-held'],
  'wait.ends': ['held-until-finished', 'wait-in-steps-of-five', 'wait-over-500', 'wait-twice'],
  'wait.holds': ['second-node-ignores-wait', 'wait-capped-by-proxy', 'wait-in-milliseconds'],
  'wait.holds/long': ['held-request-cut-off', 'wait-capped-in-between', 'wait-ignored'],
  'wait.holds/any-wait': ['second-node-ignores-wait', 'wait-in-milliseconds'],
  'idempotency.while-generating': ['key-ignored', 'key-known-when-finished', 'running-key-of-another-node'],
  'idempotency.while-generating/after-wait': ['key-known-when-finished', 'key-lost-when-wait-ends'],
  'idempotency.no-duplicate': ['old-repetition-leads-on', 'repetition-stored-again', 'replay-answers-anew'],
  'idempotency.no-duplicate/lost-answer': ['key-in-progress-for-good', 'key-kept-with-answer'],
  'idempotency.no-duplicate/while-generating': ['older-repetition-unlocks-the-chat', 'repetition-unlocks-the-chat'],
  'idempotency.later': ['older-key-in-busy-chat', 'older-key-shows-the-running', 'repetition-without-text'],
  'idempotency.parallel': ['key-read-then-written', 'second-of-twins-fails', 'twins-break-a-unique-index'],
  'idempotency.other-caller': ['key-before-role'],
  'messages.distinct-ids': ['one-id-for-both-messages', 'user-id-used-again'],
  'messages.distinct-ids/without-key': ['no-key-is-one-key', 'no-key-same-text-is-one'],
};

test.each(Object.entries(faultsBy))(
  'with one chat, %s catches %j, and accuses no correct deployment',
  async (id, faults) => {
    for (const fault of faults) {
      const said = await saidBy(id, { faults: [fault], part: oneChat });
      expect([fault, ...said]).toEqual([fault, expect.stringMatching(/^failed: /)]);
    }
    expect(await saidBy(id, { part: oneChat })).toEqual([]);
  },
);

test.each(['wait.ends/side-by-side', 'conflict.other-chat', 'conflict.other-chat/at-once', 'idempotency.other-chat'])(
  '%s needs two chats',
  async (id) => {
    expect(await saidBy(id, { part: oneChat })).toEqual([
      expect.stringMatching(/^blocked: no declared chat fits: declare more chats/),
    ]);
  },
);

const tooSoon = 'blocked: the response ended too soon';

test.each([
  ['messages.accepted-is-generating', undefined],
  ['messages.ok-is-finished', undefined],
  ['messages.ok-is-finished/after-wait', undefined],
  ['conflict.refused/after-wait', tooSoon],
  ['conflict.ends/after-wait', tooSoon],
  ['wait.ends', tooSoon],
  ['wait.holds', tooSoon],
] as const)('with one chat and an assistant that answers at once, %s says: %s', async (id, said) => {
  const [first = 'nothing'] = await saidBy(id, { part: oneChat, choices: { assistant: 'always-300-ms' } });
  expect(first).toMatch(said ?? 'nothing');
});

const limited = refusing(({ path }) => (path.includes('/messages') ? 429 : undefined), { 'retry-after': '400' });

test('a check that cannot make its only chat idle does not wait for itself', async () => {
  const [first = 'nothing'] = await saidBy('rate.no-effect/sendMessage', { part: oneChat, through: limited });
  expect(first).toMatch(/^blocked: rate limited/);
});
