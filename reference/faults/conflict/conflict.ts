import type { Exchange } from '../../state/state.ts';
import type { Altered } from '../../variation.ts';
import { refusedAs, refusedWith, refusedWithFields, titled, together } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { firstAnswerRepeated, hardlyOutlastsWait } from '../shared/idle.ts';
import { hasWait, keyOf, on } from '../shared/requests.ts';

/** A message to a busy chat cancels the running response. */
const cancelling: Altered = {
  disturbedEnd: (_finishesAt, _request, _exchange, now) => now,
  whenBusy: () => 'accept',
};

export const conflictFaults = faultsOf({
  'conflict.refused': {
    'busy-chat-accepts': {
      sentence: 'A chat accepts a message while a response is generating.',
      alter: () => ({ whenBusy: () => 'accept' }),
    },
    'busy-chat-queues': {
      sentence: 'A message to a busy chat waits in a queue and is accepted when the response is finished.',
      // Then the queue takes longer than any client waits: the client sees no answer, and no wrong one.
      idle: { assistant: ['minutes'] },
      alter: () => ({ whenBusy: () => 'queue' }),
    },
    'chat-lock-expires': {
      sentence: 'The lock of a chat expires after one second, even if the response is still generating.',
      idle: { assistant: hardlyOutlastsWait },
      alter: (rules) => ({
        busy: (exchange, now, request) => rules.busy(exchange, now, request) && now < exchange.acceptedAt + 1000,
      }),
    },
    'chat-lock-expires-late': {
      sentence: 'The lock of a chat expires after 2.9 seconds, even if the response is still generating.',
      idle: { assistant: [...hardlyOutlastsWait, 'slow-is-half-a-second', 'always-1-s', 'always-2-s'] },
      alter: (rules) => ({
        busy: (exchange, now, request) => rules.busy(exchange, now, request) && now < exchange.acceptedAt + 2900,
      }),
    },
    'chat-lock-ends-early': {
      sentence: 'The lock of a chat ends 0.9 seconds before its response, with the last call of a tool.',
      idle: {
        assistant: [...hardlyOutlastsWait, 'slow-is-half-a-second', 'always-1-s', 'always-2-s'],
        ...firstAnswerRepeated,
      },
      alter: (rules) => ({
        busy: (exchange, now, request) => rules.busy(exchange, now + 900, request),
      }),
    },
    'busy-chat-accepts-without-key': {
      sentence: 'The lock of a chat is tied to the idempotency key, so a message without a key bypasses it.',
      idle: { 'key-required': ['yes'], 'rate-window': ['spaced'] },
      alter: (rules) => ({
        whenBusy: (fate, request) => (keyOf(request, rules) === undefined ? 'accept' : fate),
      }),
    },
    'busy-chat-accepts-long-text': {
      sentence: 'A long text is stored by other code, which does not look at the lock of the chat.',
      alter: () => ({ whenBusy: (fate, { body }) => (body.length > 5000 ? 'accept' : fate) }),
    },
    'busy-chat-starts-over': {
      sentence: 'A message to a busy chat cancels the running response and is answered instead.',
      alter: () => ({ ...cancelling, lookAgainMs: () => 50 }),
    },
    'busy-chat-starts-over-unheard': {
      sentence:
        'A message to a busy chat cancels the running response, but the request that waits for it keeps waiting.',
      alter: () => cancelling,
    },
    'busy-now-and-then-unseen': {
      sentence: 'One request in four reads from a stale replica whether a chat is busy.',
      alter: (rules) => ({
        busy: (exchange, now, request) => request.turn % 4 !== 0 && rules.busy(exchange, now, request),
      }),
    },
    'conflict-423': {
      sentence: 'A message to a busy chat is answered 423, because the chat is locked.',
      alter: refusedWith(423, 'conflict'),
    },
    'conflict-503': {
      sentence: 'A message to a busy chat is answered 503, as if the whole service were unavailable.',
      idle: { gateway: ['outages'] }, // What is answered 503 there is sent again, until the chat is idle.
      alter: refusedWith(503, 'conflict'),
    },
    'conflict-429': {
      sentence: 'A message to a busy chat is answered with a rate-limit error.',
      idle: { 'key-after-conflict': ['used-up'] }, // A request that is sent again after such a 429 is refused for its key.
      alter: together(
        refusedWith(429, 'conflict'),
        titled('RateLimitExceeded', 'conflict'),
        refusedWithFields({ retryAfterMs: 1000 }, 'conflict'),
      ),
    },
    'lock-ends-with-wait': {
      sentence: 'The lock of a chat ends with the request that waits, while the response is still generating.',
      idle: { assistant: hardlyOutlastsWait, ...firstAnswerRepeated },
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
  },
  'conflict.body': {
    'conflict-with-retry': {
      sentence: 'The 409 answer has retryAfterMs.',
      alter: refusedWithFields({ retryAfterMs: 1000 }, 'conflict'),
    },
    'conflict-shows-message': {
      sentence: 'The 409 answer contains the chat instead of an error.',
      alter: refusedAs(({ ids }) => ({ data: { chat: { id: ids.chatId } } }), 'conflict'),
    },
  },
  'conflict.race': {
    'idle-read-then-taken': {
      sentence: 'There is a gap of 20 ms between checking that a chat is idle and locking it.',
      alter: () => ({ pauseMs: (ms, request) => (on('sendMessage')(request) ? 20 : ms) }),
    },
    'idle-read-then-taken-without-key': {
      sentence: 'Only messages with a key lock their chat first: for others there is a gap of 20 ms after the check.',
      idle: { 'key-required': ['yes'], 'rate-window': ['spaced'] },
      alter: (rules) => ({
        pauseMs: (ms, request) => (on('sendMessage')(request) && keyOf(request, rules) === undefined ? 20 : ms),
      }),
    },
    'raced-messages-break-a-constraint': {
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
    'second-of-race-fails': {
      sentence: 'Of simultaneous messages, the first one that finds the chat just locked fails with an exception.',
      alter: (rules) => {
        const met = new WeakSet<Exchange>();
        const failing = new Set<number>();
        return {
          disturbedEnd: (finishesAt, request, exchange) => {
            if (request.at <= exchange.acceptedAt && !met.has(exchange)) failing.add(request.turn);
            met.add(exchange);
            return finishesAt;
          },
          refusalStatus: (kind, request) =>
            kind === 'conflict' && failing.has(request.turn) ? 500 : rules.refusalStatus(kind, request),
        };
      },
    },
    'busy-seen-late': {
      sentence: 'Whether a chat is busy is read from a replica that lags by 15 ms.',
      alter: (rules) => ({
        busy: (exchange, now, request) => rules.busy(exchange, now, request) && now >= exchange.acceptedAt + 15,
      }),
    },
  },
  'conflict.other-chat': {
    'one-response-for-all': {
      sentence: 'Only one response may be generating in the whole service.',
      alter: () => ({ rivals: (_chats, _request, all) => all() }),
    },
    'one-response-an-organization': {
      sentence: 'Only one response may be generating in an organization.',
      alter: () => ({
        rivals: ([chat], _request, all) =>
          all().filter(({ organizationId }) => organizationId === chat?.organizationId),
      }),
    },
  },
  'conflict.ends': {
    'chat-locked-for-good': {
      sentence: 'The lock of a chat is never released.',
      alter: () => ({ busy: () => true }),
    },
    'chat-lock-lingers': {
      sentence: 'The lock of a chat is released by a job that runs five minutes later.',
      alter: () => ({ busy: (exchange, now) => now < exchange.finishesAt + 300_000 }),
    },
  },
});
