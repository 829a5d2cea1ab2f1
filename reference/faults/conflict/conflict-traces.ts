import type { Exchange } from '../../state/state.ts';
import type { Fault } from '../../variation.ts';

/** Where no response is seen to last, and to end. */
const idleWithoutSeconds = { assistant: ['at-once', 'slow-is-quick', 'minutes', 'moody'] };

/** Section 3: what a message that was refused with 409 leaves behind. */
export const conflictTraceFaults: readonly Fault[] = [
  {
    name: 'conflict-queued',
    breaks: 'conflict.no-trace',
    sentence: 'A message refused with 409 is queued and answered after the other one.',
    alter: () => ({ refusedBecomes: (kind) => (kind === 'conflict' ? 'answered-later' : 'nothing') }),
  },
  {
    name: 'conflict-stored',
    breaks: 'conflict.no-trace',
    sentence: 'A message refused with 409 is stored: the next message follows it.',
    idle: { 'message-fields': ['few'], parent: ['never'] },
    alter: () => ({ refusedBecomes: (kind) => (kind === 'conflict' ? 'stored' : 'nothing') }),
  },
  {
    name: 'conflict-replaces-text',
    breaks: 'conflict.no-trace',
    sentence: 'The text of a message refused with 409 takes the place of the one that is being answered.',
    idle: { 'message-fields': ['few'], ...idleWithoutSeconds },
    alter: (rules) => {
      const latest = new Map<string, string>();
      const instead = new WeakMap<Exchange, string>();
      return {
        messageStored: (text, request) => {
          latest.set(request.ids.chatId, text);
          return rules.messageStored(text, request);
        },
        finishesWhenDisturbed: (exchange, now, request) => {
          instead.set(exchange, latest.get(request.ids.chatId) ?? '');
          return rules.finishesWhenDisturbed(exchange, now, request);
        },
        userMessageShown: (message, exchange, request) =>
          rules.userMessageShown({ ...message, text: instead.get(exchange) ?? exchange.text }, exchange, request),
      };
    },
  },
  {
    name: 'conflict-key-joins',
    breaks: 'conflict.no-trace',
    sentence: 'The key of a message refused with 409 is written down with the message that is being answered.',
    idle: { 'replay-of-other-text': ['422', '409'], ...idleWithoutSeconds },
    alter: (rules) => {
      const running = new Map<string, string>();
      const joined = new Map<string, string>();
      return {
        keyIdentity: (key, request) => joined.get(key) ?? rules.keyIdentity(key, request),
        assistantMs: (text, request) => {
          running.set(request.ids.chatId, request.headers[rules.keyHeader()] ?? '');
          return rules.assistantMs(text, request);
        },
        finishesWhenDisturbed: (exchange, now, request) => {
          joined.set(request.headers[rules.keyHeader()] ?? '', running.get(request.ids.chatId) ?? '');
          return rules.finishesWhenDisturbed(exchange, now, request);
        },
      };
    },
  },
  {
    name: 'conflict-cancels',
    breaks: 'conflict.no-trace',
    sentence: 'A message refused with 409 cancels the response all the same.',
    alter: () => ({ finishesWhenDisturbed: (_exchange, now) => now, lookAgainMs: () => 50 }),
  },
  {
    name: 'conflict-starts-over',
    breaks: 'conflict.no-trace',
    sentence: 'A message refused with 409 lets the response that is generating begin once more.',
    idle: idleWithoutSeconds,
    alter: () => {
      const takesMs = new WeakMap<Exchange, number>();
      return {
        finishesWhenDisturbed: (exchange, now) => {
          const ms = takesMs.get(exchange) ?? exchange.finishesAt - exchange.acceptedAt;
          takesMs.set(exchange, ms);
          return now + ms;
        },
        lookAgainMs: () => 50,
      };
    },
  },
];
