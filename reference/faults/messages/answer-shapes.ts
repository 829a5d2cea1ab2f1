import type { Fault } from '../../variation.ts';
import { onRepetitions } from '../shared/alterations.ts';
import { firstAnswerRepeated } from '../shared/idle.ts';
import { hasCursor, isFiltered, on } from '../shared/requests.ts';
import { without } from '../shared/values.ts';

/** Answers that are wrong only in some cases. */
export const answerShapeFaults: readonly Fault[] = [
  {
    name: 'filtered-list-bare',
    breaks: 'paging.envelope',
    sentence: 'A filtered list is returned as a bare array, as the search index gives it.',
    alter: () => ({
      bodyText: (text, request, status) =>
        status === 200 && isFiltered(request) ? text.slice(text.indexOf('['), text.lastIndexOf(']') + 1) : text,
    }),
  },
  {
    name: 'filtered-has-more-number',
    breaks: 'paging.meta-types',
    sentence: 'Under a filter, hasMore is 0 or 1, as SQLite stores booleans.',
    alter: () => ({
      pagination: (meta, request) => (isFiltered(request) ? { ...meta, hasMore: Number(meta['hasMore']) } : meta),
    }),
  },
  {
    name: 'models-partial',
    breaks: 'models.success-status',
    sentence: 'A page of models is answered 206 as partial content.',
    alter: (rules) => ({
      readStatus: (request) => (on('listModels')(request) ? 206 : rules.readStatus(request)),
    }),
  },
  {
    name: 'later-models-partial',
    breaks: 'models.success-status',
    sentence: 'A page of models after the first is answered 206 as partial content.',
    alter: (rules) => ({
      readStatus: (request) => (on('listModels')(request) && hasCursor(request) ? 206 : rules.readStatus(request)),
    }),
  },
  {
    name: 'message-201-elsewhere',
    breaks: 'messages.success-status',
    sentence: 'An accepted message is answered 201 in organizations that were moved to the new cluster.',
    alter: (rules) => ({
      messageAnswerStatus: (finished, request) =>
        request.ids.organizationId === 'org_main' ? rules.messageAnswerStatus(finished, request) : 201,
    }),
  },
  {
    name: 'repetition-without-chat',
    breaks: 'messages.envelope',
    sentence: 'A repeated request returns the two messages without their chat.',
    idle: firstAnswerRepeated,
    alter: onRepetitions((isRepetition, rules) => ({
      messageAnswer: (data, request) =>
        rules.messageAnswer(isRepetition(request) ? without(data, 'chat') : data, request),
    })),
  },
  {
    name: 'repetition-chat-epoch',
    breaks: 'messages.chat-types',
    sentence: 'createdAt of the chat is a number in the answer to a repeated request.',
    idle: firstAnswerRepeated,
    alter: onRepetitions((isRepetition) => ({
      chatShown: (chat, request) => (isRepetition(request) ? { ...chat, createdAt: 1_768_478_400 } : chat),
    })),
  },
  {
    name: 'repetition-text-parsed',
    breaks: 'messages.message-types',
    sentence: 'The text of a repeated message is an object that contains the text, as the store returns it.',
    idle: firstAnswerRepeated,
    alter: onRepetitions((isRepetition) => ({
      userMessageShown: (message, request) =>
        isRepetition(request) ? { ...message, text: { S: message['text'] ?? null } } : message,
    })),
  },
];
