import type { Ask } from '../ask.ts';
import type { Rules } from '../rules/rules.ts';
import type { Exchange } from '../state.ts';
import type { Fault } from '../variation.ts';

/** What a key found is shown, in whatever chat it was found from. */
const shownAnywhere: Partial<Rules> = { replayInOtherChat: () => 'original' };

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
      assistantMessageShown: (message, exchange, finished, ask) => {
        const shown = rules.assistantMessageShown(message, exchange, finished, ask);
        return ask.at > exchange.finishesAt ? { ...shown, id: `${exchange.assistantId}-${ask.turn}` } : shown;
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
        messageId: (fresh, role, previous, ask) => {
          const id = rules.messageId(fresh, role, previous, ask);
          if (role === 'user') latest.set(ask.ids.chatId, id);
          return id;
        },
        userMessageShown: (message, exchange, ask) => ({
          ...rules.userMessageShown(message, exchange, ask),
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
        replayStartsAgain: (exchange, ask) => {
          unlocked.add(exchange);
          return rules.replayStartsAgain(exchange, ask);
        },
        busy: (exchange, now, ask) => !unlocked.has(exchange) && rules.busy(exchange, now, ask),
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
    alter: () => ({ replayStartsAgain: (exchange, ask) => ask.at > exchange.finishesAt }),
  },
  {
    name: 'repetition-stored-again',
    breaks: 'idempotency.no-duplicate',
    sentence: 'A repeated request shows the original messages, and its message is stored once more, unanswered.',
    idle: { 'message-fields': ['few'], parent: ['never'] },
    alter: (rules) => {
      const repetitions = new Set<number>();
      return {
        replayStartsAgain: (_exchange, ask) => {
          repetitions.add(ask.turn);
          return true;
        },
        assistantMs: (text, ask) => (repetitions.has(ask.turn) ? 0 : rules.assistantMs(text, ask)),
      };
    },
  },
  {
    name: 'key-read-then-written',
    breaks: 'idempotency.parallel',
    sentence: 'Between looking for a key and storing it with its message 20 ms go by, in which its twin finds nothing.',
    alter: (rules) => ({
      conflictPauseMs: (ask) =>
        ask.headers[rules.keyHeader()] === undefined ? rules.conflictPauseMs(ask) : rules.conflictPauseMs(ask) + 20,
    }),
  },
  {
    name: 'key-per-process',
    breaks: 'idempotency.parallel',
    sentence: 'Each of three processes keeps the keys that it has seen itself.',
    alter: (rules) => ({
      keyScope: (caller, chatId, key, ask) => `${ask.turn % 3} ${rules.keyScope(caller, chatId, key, ask)}`,
    }),
  },
  {
    name: 'key-at-most-254',
    breaks: 'idempotency.key-maximum',
    sentence: 'A key of 255 characters is refused, a < in place of a <=.',
    alter: () => ({ keyInRange: (length) => length < 255 }),
  },
  {
    name: 'key-at-most-64',
    breaks: 'idempotency.key-maximum',
    sentence: 'A key has at most 64 characters, the width of its column.',
    alter: () => ({ keyInRange: (length) => length <= 64 }),
  },
  {
    name: 'long-key-as-base64',
    breaks: 'idempotency.key-maximum',
    sentence:
      'A key of more than 100 characters is taken for base64, and refused unless its length is a multiple of four.',
    alter: (rules) => ({
      keyInRange: (length, ask) => rules.keyInRange(length, ask) && (length <= 100 || length % 4 === 0),
    }),
  },
  {
    name: 'key-of-any-length',
    breaks: 'idempotency.key-too-long',
    sentence: 'A key may be of any length.',
    alter: () => ({ keyInRange: () => true }),
  },
  {
    name: 'key-of-256',
    breaks: 'idempotency.key-too-long',
    sentence: 'A key of 256 characters is accepted.',
    alter: () => ({ keyInRange: (length) => length <= 256 }),
  },
  {
    name: 'key-in-lower-case',
    breaks: 'idempotency.opaque',
    sentence: 'Keys are compared without regard to case.',
    alter: () => ({ keyIdentity: (key) => key.toLowerCase() }),
  },
  {
    name: 'key-cut-at-64',
    breaks: 'idempotency.opaque',
    sentence: 'Only the first 64 characters of a key are stored.',
    alter: () => ({ keyIdentity: (key) => key.slice(0, 64) }),
  },
  {
    name: 'key-without-last-character',
    breaks: 'idempotency.opaque',
    sentence: 'The last character of a key is lost.',
    alter: () => ({ keyIdentity: (key) => key.slice(0, -1) || key }),
  },
  {
    name: 'key-without-dashes',
    breaks: 'idempotency.opaque',
    sentence: 'Dashes and underscores of a key are dropped, since it should be a UUID.',
    alter: () => ({ keyIdentity: (key) => key.replaceAll(/[-_]/g, '') || key }),
  },
  {
    name: 'key-per-caller',
    breaks: 'idempotency.other-chat',
    sentence: 'A key means one thing for a caller, in whatever chat.',
    alter: () => ({ keyScope: (caller, _chatId, key) => `${caller} ${key}`, ...shownAnywhere }),
  },
  {
    name: 'key-per-organization',
    breaks: 'idempotency.other-chat',
    sentence: 'A key means one thing in an organization, in whatever chat.',
    alter: () => ({
      keyScope: (caller, _chatId, key, ask) => `${caller} ${ask.ids.organizationId} ${key}`,
      ...shownAnywhere,
    }),
  },
  {
    name: 'key-goes-to-the-last-chat',
    breaks: 'idempotency.other-chat',
    sentence:
      'There is one row a key, which its use in another chat overwrites: in the first chat it is a new one then.',
    idle: { 'key-scope': ['caller', 'service'] },
    alter: (rules) => {
      const chatOf = new Map<string, string>();
      const rowOf = (ask: Ask): string => `${ask.caller?.name} ${ask.headers[rules.keyHeader()]}`;
      return {
        messageId: (fresh, role, previous, ask) => {
          chatOf.set(rowOf(ask), ask.ids.chatId);
          return rules.messageId(fresh, role, previous, ask);
        },
        keyRemembered: (exchange, finished, later, ask) =>
          chatOf.get(rowOf(ask)) === exchange.chatId && rules.keyRemembered(exchange, finished, later, ask),
      };
    },
  },
  {
    name: 'key-global',
    breaks: 'idempotency.other-caller',
    sentence: 'A key means one thing for the whole service.',
    alter: () => ({ keyScope: (_caller, _chatId, key) => key, ...shownAnywhere }),
  },
  {
    name: 'key-before-role',
    breaks: 'idempotency.other-caller',
    sentence: 'The cache of keys stands before the check of roles: who knows a key sees its chat.',
    alter: (rules) => {
      const known = new Set<string>();
      return {
        keyScope: (_caller, chatId, key) => `${chatId} ${key}`,
        keyIdentity: (key, ask) => {
          known.add(key);
          return rules.keyIdentity(key, ask);
        },
        maySendMessage: (isAdmin, ask) =>
          known.has(ask.headers[rules.keyHeader()] ?? '') || rules.maySendMessage(isAdmin, ask),
      };
    },
  },
];
