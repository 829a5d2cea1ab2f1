import type { Exchange } from '../../state/state.ts';
import type { Fault } from '../../variation.ts';

export const conflictFaults: readonly Fault[] = [
  {
    name: 'busy-chat-accepts',
    breaks: 'conflict.refused',
    sentence: 'A chat whose response is generating accepts another message.',
    alter: () => ({ whenBusy: () => 'accept' }),
  },
  {
    name: 'busy-chat-queues',
    breaks: 'conflict.refused',
    sentence: 'A message to a busy chat waits in a queue and is accepted when the response is finished.',
    // Then no client waits for as long as the queue takes: it sees no answer, and no wrong one.
    idle: { assistant: ['minutes'] },
    alter: () => ({ whenBusy: () => 'queue' }),
  },
  {
    name: 'chat-lock-expires',
    breaks: 'conflict.refused',
    sentence: 'The lock of a chat expires after a second, whether or not the assistant is still at it.',
    alter: (rules) => ({
      busy: (exchange, now, request) => rules.busy(exchange, now, request) && now < exchange.acceptedAt + 1000,
    }),
  },
  {
    name: 'busy-chat-accepts-without-key',
    breaks: 'conflict.refused',
    sentence: 'The lock of a chat is taken together with the idempotency key: a message without one passes it by.',
    idle: { 'key-required': ['yes'] },
    alter: (rules) => ({
      whenBusy: (request) => (request.headers[rules.keyHeader()] === undefined ? 'accept' : rules.whenBusy(request)),
    }),
  },
  {
    name: 'busy-chat-starts-over',
    breaks: 'conflict.refused',
    sentence: 'A message to a busy chat cancels the response and is answered in its place, as in a chat window.',
    alter: () => ({ finishesWhenDisturbed: (_exchange, now) => now, whenBusy: () => 'accept', lookAgainMs: () => 50 }),
  },
  {
    name: 'busy-chat-starts-over-unheard',
    breaks: 'conflict.refused',
    sentence: 'A message to a busy chat cancels the response, which the request that is held for it does not hear of.',
    alter: () => ({ finishesWhenDisturbed: (_exchange, now) => now, whenBusy: () => 'accept' }),
  },
  {
    name: 'conflict-423',
    breaks: 'conflict.refused',
    sentence: 'A busy chat is answered 423, as it is locked.',
    alter: (rules) => ({
      refusalStatus: (kind, request) => (kind === 'conflict' ? 423 : rules.refusalStatus(kind, request)),
    }),
  },
  {
    name: 'conflict-503',
    breaks: 'conflict.refused',
    sentence: 'A busy chat is answered 503, as if the whole service were.',
    idle: { gateway: ['outages'] }, // What is answered 503 there is sent again, until the chat is idle.
    alter: (rules) => ({
      refusalStatus: (kind, request) => (kind === 'conflict' ? 503 : rules.refusalStatus(kind, request)),
    }),
  },
  {
    name: 'conflict-429',
    breaks: 'conflict.refused',
    sentence: 'A busy chat is answered 429, with the usual wait, as if a quota were used up.',
    idle: { 'key-after-conflict': ['used-up'] }, // A request that waits such a 429 out is refused for its key for good.
    alter: (rules) => ({
      refusalStatus: (kind, request) => (kind === 'conflict' ? 429 : rules.refusalStatus(kind, request)),
      refusalTitle: (kind, status, request) =>
        kind === 'conflict' ? 'RateLimitExceeded' : rules.refusalTitle(kind, status, request),
      errorBody: (error, kind, request) =>
        rules.errorBody(kind === 'conflict' ? { ...error, retryAfterMs: 1000 } : error, kind, request),
    }),
  },
  {
    name: 'conflict-with-retry',
    breaks: 'conflict.body',
    sentence: 'The 409 answer tells by retryAfterMs when to try again.',
    alter: (rules) => ({
      errorBody: (error, kind, request) =>
        rules.errorBody(kind === 'conflict' ? { ...error, retryAfterMs: 1000 } : error, kind, request),
    }),
  },
  {
    name: 'conflict-shows-message',
    breaks: 'conflict.body',
    sentence: 'The 409 answer shows the chat in place of an error.',
    alter: (rules) => ({
      errorBody: (error, kind, request) =>
        kind === 'conflict' ? { data: { chat: { id: request.ids.chatId } } } : rules.errorBody(error, kind, request),
    }),
  },
  {
    name: 'idle-read-then-taken',
    breaks: 'conflict.race',
    sentence: 'Between finding a chat idle and taking it 20 ms go by.',
    alter: () => ({ conflictPauseMs: () => 20 }),
  },
  {
    name: 'raced-messages-break-a-constraint',
    breaks: 'conflict.race',
    sentence:
      'That one response generates is a constraint of the database: of several messages at once all but one end in an exception.',
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
    sentence: 'That a chat is busy is read from a replica, which hears of it 15 ms later.',
    alter: (rules) => ({
      busy: (exchange, now, request) => rules.busy(exchange, now, request) && now >= exchange.acceptedAt + 15,
    }),
  },
  {
    name: 'lock-ends-with-wait',
    breaks: 'conflict.refused',
    sentence: 'The lock of a chat belongs to the request that waits, and ends with it while the response goes on.',
    idle: { assistant: ['at-once', 'slow-is-quick', 'slow-is-half-a-second', 'moody'], 'replay-form': ['original'] },
    alter: (rules) => {
      const unlocked = new WeakSet<Exchange>();
      return {
        assistantMessageShown: (message, exchange, finished, request) => {
          if (!finished && request.query.has('wait')) unlocked.add(exchange);
          return rules.assistantMessageShown(message, exchange, finished, request);
        },
        busy: (exchange, now, request) => !unlocked.has(exchange) && rules.busy(exchange, now, request),
      };
    },
  },
  {
    name: 'one-response-for-all',
    breaks: 'conflict.other-chat',
    sentence: 'One response may be generating in the whole service.',
    alter: () => ({ conflictsWith: (_chat, all) => all() }),
  },
  {
    name: 'one-response-an-organization',
    breaks: 'conflict.other-chat',
    sentence: 'One response may be generating in an organization.',
    alter: () => ({
      conflictsWith: (chat, all) => all().filter(({ organizationId }) => organizationId === chat.organizationId),
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
