import { onRepetitions } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { firstAnswerRepeated } from '../shared/idle.ts';
import { isFiltered } from '../../http/request.ts';
import { hasCursor, hasWait, keyOf, on } from '../shared/requests.ts';
import { without } from '../shared/values.ts';

/** Answers that are wrong only in some cases. */
export const answerShapeFaults = faultsOf({
  'paging.envelope': {
    'filtered-list-bare': {
      sentence: 'A filtered list is returned as a bare array, as the search index gives it.',
      alter: () => ({
        bodyText: (text, request, status) =>
          status === 200 && isFiltered(request) ? text.slice(text.indexOf('['), text.lastIndexOf(']') + 1) : text,
      }),
    },
  },
  'paging.meta-types': {
    'filtered-has-more-number': {
      sentence: 'Under a filter, hasMore is 0 or 1, as SQLite stores booleans.',
      alter: () => ({
        pagination: (meta, request) => (isFiltered(request) ? { ...meta, hasMore: Number(meta['hasMore']) } : meta),
      }),
    },
  },
  'models.success-status': {
    'models-partial': {
      sentence: 'A page of models is answered 206 as partial content.',
      alter: (rules) => ({
        readStatus: (request) => (on('listModels')(request) ? 206 : rules.readStatus(request)),
      }),
    },
    'later-models-partial': {
      sentence: 'A page of models after the first is answered 206 as partial content.',
      alter: (rules) => ({
        readStatus: (request) => (on('listModels')(request) && hasCursor(request) ? 206 : rules.readStatus(request)),
      }),
    },
  },
  'messages.success-status': {
    'message-201-elsewhere': {
      sentence: 'An accepted message is answered 201 in organizations that were moved to the new cluster.',
      alter: (rules) => ({
        messageAnswerStatus: (finished, request) =>
          request.ids.organizationId === 'org_main' ? rules.messageAnswerStatus(finished, request) : 201,
      }),
    },
  },
  'messages.envelope': {
    'unkeyed-without-response': {
      sentence:
        'The answer to a message without a key and without wait has no assistantMessage, because no row exists yet.',
      idle: { 'key-required': ['yes'] },
      alter: (rules) => ({
        messageAnswer: (data, request) => {
          const isBare = keyOf(request, rules) === undefined && !hasWait(request);
          return rules.messageAnswer(isBare ? without(data, 'assistantMessage') : data, request);
        },
      }),
    },
    'repetition-without-chat': {
      sentence: 'A repeated request returns the two messages without their chat.',
      idle: firstAnswerRepeated,
      alter: onRepetitions((isRepetition, rules) => ({
        messageAnswer: (data, request) =>
          rules.messageAnswer(isRepetition(request) ? without(data, 'chat') : data, request),
      })),
    },
  },
  'messages.immediate': {
    'repetition-held': {
      sentence: 'A repeated request without wait is held until the response is finished.',
      idle: firstAnswerRepeated,
      alter: onRepetitions((isRepetition, rules) => ({
        heldMs: (wait, remainingMs, request) =>
          isRepetition(request) && wait === undefined ? remainingMs : rules.heldMs(wait, remainingMs, request),
      })),
    },
    'repetition-held-three-seconds': {
      sentence: 'A repeated request without wait is held for up to three seconds, in case the response finishes.',
      idle: firstAnswerRepeated,
      alter: onRepetitions((isRepetition, rules) => ({
        heldMs: (wait, remainingMs, request) =>
          isRepetition(request) && wait === undefined
            ? Math.min(3000, remainingMs)
            : rules.heldMs(wait, remainingMs, request),
      })),
    },
  },
  'idempotency.after': {
    'repetition-without-parts': {
      sentence:
        'A repeated request is answered without the parts of the assistant message, which the query does not join.',
      idle: { ...firstAnswerRepeated, 'message-fields': ['few'] },
      alter: onRepetitions((isRepetition) => ({
        assistantMessageShown: (message, request) => (isRepetition(request) ? { ...message, parts: [] } : message),
      })),
    },
  },
  'messages.chat-types': {
    'repetition-chat-epoch': {
      sentence: 'createdAt of the chat is a number in the answer to a repeated request.',
      idle: firstAnswerRepeated,
      alter: onRepetitions((isRepetition) => ({
        chatShown: (chat, request) => (isRepetition(request) ? { ...chat, createdAt: 1_768_478_400 } : chat),
      })),
    },
  },
  'messages.message-types': {
    'repetition-text-parsed': {
      sentence: 'The text of a repeated message is an object that contains the text, as the store returns it.',
      idle: firstAnswerRepeated,
      alter: onRepetitions((isRepetition) => ({
        userMessageShown: (message, request) =>
          isRepetition(request) ? { ...message, text: { S: message['text'] ?? null } } : message,
      })),
    },
  },
});
