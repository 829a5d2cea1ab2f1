import type { Exchange } from '../../state/state.ts';
import type { Altered, Fault } from '../../variation.ts';
import { refusedAs, refusedWith, refusedWithFields, titled, together } from '../shared/alterations.ts';
import { firstAnswerRepeated, neverOutlastsWait } from '../shared/idle.ts';
import { hasWait, keyOf, on } from '../shared/requests.ts';

/** A message to a busy chat cancels the running response. */
const cancelling: Altered = {
  disturbedEnd: (_finishesAt, _request, _exchange, now) => now,
  whenBusy: () => 'accept',
};

export const conflictFaults: readonly Fault[] = [
  {
    name: 'busy-chat-accepts',
    breaks: 'conflict.refused',
    sentence: 'A chat accepts a message while a response is generating.',
    alter: () => ({ whenBusy: () => 'accept' }),
  },
  {
    name: 'busy-chat-queues',
    breaks: 'conflict.refused',
    sentence: 'A message to a busy chat waits in a queue and is accepted when the response is finished.',
    // Then the queue takes longer than any client waits: the client sees no answer, and no wrong one.
    idle: { assistant: ['minutes'] },
    alter: () => ({ whenBusy: () => 'queue' }),
  },
  {
    name: 'chat-lock-expires',
    breaks: 'conflict.refused',
    sentence: 'The lock of a chat expires after one second, even if the response is still generating.',
    alter: (rules) => ({
      busy: (exchange, now, request) => rules.busy(exchange, now, request) && now < exchange.acceptedAt + 1000,
    }),
  },
  {
    name: 'busy-chat-accepts-without-key',
    breaks: 'conflict.refused',
    sentence: 'The lock of a chat is tied to the idempotency key, so a message without a key bypasses it.',
    idle: { 'key-required': ['yes'] },
    alter: (rules) => ({
      whenBusy: (fate, request) => (keyOf(request, rules) === undefined ? 'accept' : fate),
    }),
  },
  {
    name: 'busy-chat-starts-over',
    breaks: 'conflict.refused',
    sentence: 'A message to a busy chat cancels the running response and is answered instead.',
    alter: () => ({ ...cancelling, lookAgainMs: () => 50 }),
  },
  {
    name: 'busy-chat-starts-over-unheard',
    breaks: 'conflict.refused',
    sentence: 'A message to a busy chat cancels the running response, but the request that waits for it keeps waiting.',
    alter: () => cancelling,
  },
  {
    name: 'conflict-423',
    breaks: 'conflict.refused',
    sentence: 'A message to a busy chat is answered 423, because the chat is locked.',
    alter: refusedWith(423, 'conflict'),
  },
  {
    name: 'conflict-503',
    breaks: 'conflict.refused',
    sentence: 'A message to a busy chat is answered 503, as if the whole service were unavailable.',
    idle: { gateway: ['outages'] }, // What is answered 503 there is sent again, until the chat is idle.
    alter: refusedWith(503, 'conflict'),
  },
  {
    name: 'conflict-429',
    breaks: 'conflict.refused',
    sentence: 'A message to a busy chat is answered with a rate-limit error.',
    idle: { 'key-after-conflict': ['used-up'] }, // A request that is sent again after such a 429 is refused for its key.
    alter: together(
      refusedWith(429, 'conflict'),
      titled('RateLimitExceeded', 'conflict'),
      refusedWithFields({ retryAfterMs: 1000 }, 'conflict'),
    ),
  },
  {
    name: 'conflict-with-retry',
    breaks: 'conflict.body',
    sentence: 'The 409 answer has retryAfterMs.',
    alter: refusedWithFields({ retryAfterMs: 1000 }, 'conflict'),
  },
  {
    name: 'conflict-shows-message',
    breaks: 'conflict.body',
    sentence: 'The 409 answer contains the chat instead of an error.',
    alter: refusedAs(({ ids }) => ({ data: { chat: { id: ids.chatId } } }), 'conflict'),
  },
  {
    name: 'idle-read-then-taken',
    breaks: 'conflict.race',
    sentence: 'There is a gap of 20 ms between checking that a chat is idle and locking it.',
    alter: () => ({ pauseMs: (ms, request) => (on('sendMessage')(request) ? 20 : ms) }),
  },
  {
    name: 'raced-messages-break-a-constraint',
    breaks: 'conflict.race',
    sentence:
      'A database constraint allows one response: of simultaneous messages, all but one fail with an exception.',
    alter: (rules) => {
      const late = new Set<number>();
      return {
        busy: (exchange, now, request) => {
          if (request.at - exchange.acceptedAt < 20) late.add(request.turn);
          return rules.busy(exchange, now, request);
        },
        refusalStatus: (kind, request) =>
          kind === 'conflict' && late.has(request.turn) ? 500 : rules.refusalStatus(kind, request),
      };
    },
  },
  {
    name: 'busy-seen-late',
    breaks: 'conflict.race',
    sentence: 'Whether a chat is busy is read from a replica that lags by 15 ms.',
    alter: (rules) => ({
      busy: (exchange, now, request) => rules.busy(exchange, now, request) && now >= exchange.acceptedAt + 15,
    }),
  },
  {
    name: 'lock-ends-with-wait',
    breaks: 'conflict.refused',
    sentence: 'The lock of a chat ends with the request that waits, while the response is still generating.',
    idle: { assistant: neverOutlastsWait, ...firstAnswerRepeated },
    alter: (rules) => {
      const unlocked = new WeakSet<Exchange>();
      return {
        assistantMessageShown: (message, request, exchange, finished) => {
          if (!finished && hasWait(request)) unlocked.add(exchange);
          return message;
        },
        busy: (exchange, now, request) => !unlocked.has(exchange) && rules.busy(exchange, now, request),
      };
    },
  },
  {
    name: 'one-response-for-all',
    breaks: 'conflict.other-chat',
    sentence: 'Only one response may be generating in the whole service.',
    alter: () => ({ rivals: (_chats, _request, all) => all() }),
  },
  {
    name: 'one-response-an-organization',
    breaks: 'conflict.other-chat',
    sentence: 'Only one response may be generating in an organization.',
    alter: () => ({
      rivals: ([chat], _request, all) => all().filter(({ organizationId }) => organizationId === chat?.organizationId),
    }),
  },
  {
    name: 'chat-locked-for-good',
    breaks: 'conflict.ends',
    sentence: 'The lock of a chat is never released.',
    alter: () => ({ busy: () => true }),
  },
  {
    name: 'chat-lock-lingers',
    breaks: 'conflict.ends',
    sentence: 'The lock of a chat is released by a job that runs five minutes later.',
    alter: () => ({ busy: (exchange, now) => now < exchange.finishesAt + 300_000 }),
  },
];
