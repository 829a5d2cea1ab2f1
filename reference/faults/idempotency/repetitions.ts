import type { Rules } from '../../rules/rules.ts';
import type { Fault } from '../../variation.ts';
import { notedRepetitions } from '../shared/noted-repetitions.ts';

function repetitionsAnswered(status: number, rules: Rules): Partial<Rules> {
  const { repeated, noting } = notedRepetitions(rules);
  return {
    ...noting,
    messageAnswerStatus: (finished, request) =>
      repeated.has(request.turn) ? status : rules.messageAnswerStatus(finished, request),
  };
}

/** How a request is answered whose key was found. */
export const repetitionFaults: readonly Fault[] = [
  {
    name: 'repetition-created',
    breaks: 'idempotency.after',
    sentence: 'What is found under its key is answered 201, as by the middleware of other services.',
    idle: { 'replay-form': ['original'] },
    alter: (rules) => repetitionsAnswered(201, rules),
  },
  {
    name: 'repetition-accepted',
    breaks: 'idempotency.after',
    sentence: 'What is found under its key is answered 202, whether or not its response is complete by now.',
    idle: { 'replay-form': ['original'] },
    alter: (rules) => repetitionsAnswered(202, rules),
  },
  {
    name: 'repetition-cut-short',
    breaks: 'idempotency.later',
    sentence: 'The store of keys keeps 255 characters of a text, and repetitions show no more.',
    idle: { 'message-fields': ['few'], 'replay-form': ['original'] },
    alter: (rules) => {
      const { repeated, noting } = notedRepetitions(rules);
      return {
        ...noting,
        userMessageShown: (message, exchange, request) => {
          const shown = rules.userMessageShown(message, exchange, request);
          const { text } = shown;
          return repeated.has(request.turn) && typeof text === 'string'
            ? { ...shown, text: text.slice(0, 255) }
            : shown;
        },
      };
    },
  },
  {
    name: 'repetition-created-now',
    breaks: 'idempotency.later',
    sentence:
      'A repetition is shown the IDs that the store of keys has, in messages made anew: createdAt is the present.',
    idle: { 'message-fields': ['few'], 'replay-form': ['original'] },
    alter: (rules) => {
      const { repeated, noting } = notedRepetitions(rules);
      return {
        ...noting,
        userMessageShown: (message, exchange, request) => {
          const shown = rules.userMessageShown(message, exchange, request);
          return repeated.has(request.turn) ? { ...shown, createdAt: rules.timestamp(request.at) } : shown;
        },
      };
    },
  },
  {
    name: 'repetition-follows-itself',
    breaks: 'idempotency.later',
    sentence: 'A repeated message is shown to follow the latest answer of its chat, as a new one would.',
    idle: { 'message-fields': ['few'], parent: ['never'], 'replay-form': ['original'] },
    alter: (rules) => {
      const latest = new Map<string, string>();
      const { repeated, noting } = notedRepetitions(rules);
      return {
        ...noting,
        messageId: (fresh, role, previous, request) => {
          const id = rules.messageId(fresh, role, previous, request);
          if (role === 'assistant') latest.set(request.ids.chatId, id);
          return id;
        },
        userMessageShown: (message, exchange, request) => {
          const shown = rules.userMessageShown(message, exchange, request);
          const parentId = latest.get(exchange.chatId) ?? exchange.parentId;
          return repeated.has(request.turn) ? { ...shown, parentId } : shown;
        },
      };
    },
  },
];
