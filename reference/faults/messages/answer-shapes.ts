import type { Fault } from '../../variation.ts';
import { notedRepetitions } from '../shared/noted-repetitions.ts';
import { without } from '../shared/records.ts';

/** Answers that are made in another way than those that are looked at first. */
export const answerShapeFaults: readonly Fault[] = [
  {
    name: 'filtered-list-bare',
    breaks: 'paging.envelope',
    sentence: 'A filtered list comes from the search index, as the bare array that it gives.',
    alter: (rules) => ({
      bodyText: (text, status, request) => {
        const made = rules.bodyText(text, status, request);
        return status === 200 && request.query.has('databaseConnectionId')
          ? made.slice(made.indexOf('['), made.lastIndexOf(']') + 1)
          : made;
      },
    }),
  },
  {
    name: 'filtered-has-more-number',
    breaks: 'paging.meta-types',
    sentence: 'Under a filter hasMore is the number that SQLite has for a boolean.',
    alter: (rules) => ({
      pagination: (meta, request) => {
        const made = rules.pagination(meta, request);
        return request.query.has('databaseConnectionId') ? { ...made, hasMore: Number(made['hasMore']) } : made;
      },
    }),
  },
  {
    name: 'models-partial',
    breaks: 'models.success-status',
    sentence: 'A page of models is partial content, so that it is answered 206.',
    alter: (rules) => ({
      listStatus: (request) => (request.operation === 'listModels' ? 206 : rules.listStatus(request)),
    }),
  },
  {
    name: 'later-models-partial',
    breaks: 'models.success-status',
    sentence: 'A page of models that begins behind a cursor is a range of the list, answered 206.',
    alter: (rules) => ({
      listStatus: (request) =>
        request.operation === 'listModels' && request.query.has('cursor') ? 206 : rules.listStatus(request),
    }),
  },
  {
    name: 'message-201-elsewhere',
    breaks: 'messages.success-status',
    sentence: 'Organizations that were moved to the new cluster are answered 201 for an accepted message.',
    alter: (rules) => ({
      messageAnswerStatus: (finished, request) =>
        request.ids.organizationId === 'org_main' ? rules.messageAnswerStatus(finished, request) : 201,
    }),
  },
  {
    name: 'repetition-without-chat',
    breaks: 'messages.envelope',
    sentence: 'What is found under its key is the two messages, without their chat.',
    idle: { 'replay-form': ['original'] },
    alter: (rules) => {
      const { repeated, noting } = notedRepetitions(rules);
      return {
        ...noting,
        messageAnswer: (data, request) =>
          rules.messageAnswer(repeated.has(request.turn) ? without(data, 'chat') : data, request),
      };
    },
  },
  {
    name: 'repetition-chat-epoch',
    breaks: 'messages.chat-types',
    sentence: 'The chat of a repeated request is read past the serialiser: its createdAt is a number.',
    idle: { 'replay-form': ['original'] },
    alter: (rules) => {
      const { repeated, noting } = notedRepetitions(rules);
      return {
        ...noting,
        chatShown: (chat, request) => {
          const shown = rules.chatShown(chat, request);
          return repeated.has(request.turn) ? { ...shown, createdAt: 1_768_478_400 } : shown;
        },
      };
    },
  },
  {
    name: 'repetition-text-parsed',
    breaks: 'messages.message-types',
    sentence: 'The text of a repeated message is what the store made of it, an object with the text in it.',
    idle: { 'replay-form': ['original'] },
    alter: (rules) => {
      const { repeated, noting } = notedRepetitions(rules);
      return {
        ...noting,
        userMessageShown: (message, exchange, request) => {
          const shown = rules.userMessageShown(message, exchange, request);
          return repeated.has(request.turn) ? { ...shown, text: { S: shown['text'] ?? null } } : shown;
        },
      };
    },
  },
];
