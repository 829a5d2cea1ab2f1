import type { Rules } from '../../rules/rules.ts';
import type { Exchange } from '../../state/state.ts';
import type { Fault } from '../../variation.ts';

/** Repeated requests are shown as things are now. */
const shownAsItIs: Partial<Rules> = { replayForm: () => 'current' };

export const idempotencyFaults: readonly Fault[] = [
  {
    name: 'key-ignored',
    breaks: 'idempotency.while-generating',
    sentence: 'The idempotency key is not looked at.',
    alter: () => ({ keyRemembered: () => false }),
  },
  {
    name: 'key-known-when-finished',
    breaks: 'idempotency.while-generating',
    sentence: 'A key is stored with the finished response: until then its repetition is a conflict.',
    idle: { assistant: ['at-once', 'slow-is-quick'] },
    alter: () => ({ keyRemembered: (_exchange, finished) => finished }),
  },
  {
    name: 'key-lost-when-wait-ends',
    breaks: 'idempotency.while-generating',
    sentence: 'A key is stored where a message is answered, but not where the seconds of wait ran out before that.',
    idle: { assistant: ['at-once', 'slow-is-quick', 'slow-is-half-a-second', 'moody'] },
    alter: (rules) => {
      const lost = new WeakSet<Exchange>();
      return {
        assistantMessageShown: (message, exchange, finished, request) => {
          if (!finished && request.query.has('wait')) lost.add(exchange);
          return rules.assistantMessageShown(message, exchange, finished, request);
        },
        keyRemembered: (exchange, finished, later, request) =>
          !lost.has(exchange) && rules.keyRemembered(exchange, finished, later, request),
      };
    },
  },
  {
    name: 'key-forgotten-when-finished',
    breaks: 'idempotency.after',
    sentence: 'A key is a lock, and released when the assistant finishes.',
    alter: () => ({ keyRemembered: (_exchange, finished) => !finished }),
  },
  {
    name: 'replay-with-new-ids',
    breaks: 'idempotency.after',
    sentence: 'Repeating a finished request shows the same texts under a new ID of the assistant message.',
    alter: (rules) => ({
      ...shownAsItIs,
      assistantMessageShown: (message, exchange, finished, request) => {
        const shown = rules.assistantMessageShown(message, exchange, finished, request);
        return request.at > exchange.finishesAt ? { ...shown, id: `${exchange.assistantId}-${request.turn}` } : shown;
      },
    }),
  },
  {
    name: 'only-last-key-kept',
    breaks: 'idempotency.later',
    sentence: 'A chat remembers its last key alone.',
    alter: () => ({ keyRemembered: (_exchange, _finished, later) => later === 0 }),
  },
  {
    name: 'replay-shows-latest',
    breaks: 'idempotency.later',
    sentence: 'Repeating an earlier request shows the latest message of the chat under the earlier ID of the answer.',
    alter: (rules) => {
      const latest = new Map<string, string>();
      return {
        ...shownAsItIs,
        messageId: (fresh, role, previous, request) => {
          const id = rules.messageId(fresh, role, previous, request);
          if (role === 'user') latest.set(request.ids.chatId, id);
          return id;
        },
        userMessageShown: (message, exchange, request) => ({
          ...rules.userMessageShown(message, exchange, request),
          id: latest.get(exchange.chatId) ?? exchange.userId,
        }),
      };
    },
  },
  {
    name: 'repetition-unlocks-the-chat',
    breaks: 'idempotency.no-duplicate',
    sentence: 'The lock of a chat is given back whenever a request with a key ends, also one that was a repetition.',
    idle: { 'replay-form': ['original'] },
    alter: (rules) => {
      const unlocked = new Set<Exchange>();
      return {
        replayStartsAgain: (exchange, request) => {
          unlocked.add(exchange);
          return rules.replayStartsAgain(exchange, request);
        },
        busy: (exchange, now, request) => !unlocked.has(exchange) && rules.busy(exchange, now, request),
      };
    },
  },
  {
    name: 'replay-starts-again',
    breaks: 'idempotency.no-duplicate',
    sentence: 'A repeated request shows the original messages and sends its message again all the same.',
    idle: { assistant: ['at-once'] },
    alter: () => ({ replayStartsAgain: () => true }),
  },
  {
    name: 'replay-starts-again-when-finished',
    breaks: 'idempotency.no-duplicate',
    sentence: 'Repeating a finished request wakes the assistant once more.',
    idle: { assistant: ['at-once'] },
    alter: () => ({ replayStartsAgain: (exchange, request) => request.at > exchange.finishesAt }),
  },
  {
    name: 'replay-answers-anew',
    breaks: 'idempotency.no-duplicate',
    sentence: 'Repeating a finished request has its response written anew; who waits is held for that, too.',
    alter: (rules) => {
      const anewMs = 1500;
      const until = new Map<Exchange, number>();
      const repetitions = new Set<number>();
      return {
        replayStartsAgain: (exchange, request) => {
          if (request.at > exchange.finishesAt) {
            until.set(exchange, request.at + anewMs);
            repetitions.add(request.turn);
          }
          return rules.replayStartsAgain(exchange, request);
        },
        heldMs: (ms, remainingMs, request) =>
          repetitions.has(request.turn) ? Math.min(ms, anewMs) : rules.heldMs(ms, remainingMs, request),
        busy: (exchange, now, request) => now < (until.get(exchange) ?? 0) || rules.busy(exchange, now, request),
      };
    },
  },
  {
    name: 'old-repetition-leads-on',
    breaks: 'idempotency.no-duplicate',
    sentence:
      'What was repeated last counts as the last message of the chat, however old it is: the next one follows it.',
    idle: { 'message-fields': ['few'], parent: ['never'] },
    alter: (rules) => {
      const latest = new Map<string, Exchange>();
      return {
        replayStartsAgain: (exchange, request) => {
          latest.set(exchange.chatId, exchange);
          return rules.replayStartsAgain(exchange, request);
        },
        parentOfUser: (previous, request) => {
          const repeated = latest.get(request.ids.chatId);
          latest.delete(request.ids.chatId);
          return repeated === undefined ? rules.parentOfUser(previous, request) : repeated.assistantId;
        },
      };
    },
  },
  {
    name: 'repetition-stored-again',
    breaks: 'idempotency.no-duplicate',
    sentence: 'A repeated request shows the original messages, and its message is stored once more, unanswered.',
    idle: { 'message-fields': ['few'], parent: ['never'] },
    alter: (rules) => {
      const repetitions = new Set<number>();
      return {
        replayStartsAgain: (_exchange, request) => {
          repetitions.add(request.turn);
          return true;
        },
        assistantMs: (text, request) => (repetitions.has(request.turn) ? 0 : rules.assistantMs(text, request)),
      };
    },
  },
  {
    name: 'key-read-then-written',
    breaks: 'idempotency.parallel',
    sentence: 'Between looking for a key and storing it with its message 20 ms go by, in which its twin finds nothing.',
    alter: (rules) => ({
      conflictPauseMs: (request) =>
        request.headers[rules.keyHeader()] === undefined
          ? rules.conflictPauseMs(request)
          : rules.conflictPauseMs(request) + 20,
    }),
  },
  {
    name: 'twins-break-a-unique-index',
    breaks: 'idempotency.parallel',
    sentence:
      'A key is looked up and then inserted: of several at once all but one end in an exception of the database.',
    idle: { 'replay-form': ['original'] },
    alter: (rules) => {
      const twins = new Set<number>();
      return {
        keyRemembered: (exchange, finished, later, request) => {
          if (request.at - exchange.acceptedAt < 20) twins.add(request.turn);
          return rules.keyRemembered(exchange, finished, later, request);
        },
        messageAnswerStatus: (finished, request) =>
          twins.has(request.turn) ? 500 : rules.messageAnswerStatus(finished, request),
      };
    },
  },
  {
    name: 'key-per-process',
    breaks: 'idempotency.parallel',
    sentence: 'Each of three processes keeps the keys that it has seen itself.',
    alter: (rules) => ({
      keyScope: (caller, chatId, key, request) => `${request.turn % 3} ${rules.keyScope(caller, chatId, key, request)}`,
    }),
  },
];
