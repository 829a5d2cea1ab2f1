import { isJsonObject, type JsonObject } from '../../http/json.ts';
import type { Request } from '../../http/request.ts';
import type { Exchange } from '../../state/state.ts';
import type { Fault } from '../../variation.ts';
import { onRepetitions, refusedWith } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { firstAnswerRepeated, hardlyOutlastsWait, neverOutlastsWait } from '../shared/idle.ts';
import { hasWait, keyOf } from '../shared/requests.ts';
import { set, without } from '../shared/values.ts';

/** Chats that are shown wrongly. */
function chats(change: (chat: JsonObject, request: Request) => JsonObject): Fault['alter'] {
  return () => ({ chatShown: change });
}

/** Assistant messages that are shown wrongly. */
function answers(fields: (exchange: Exchange) => JsonObject): Fault['alter'] {
  return () => ({ assistantMessageShown: (message, _request, exchange) => ({ ...message, ...fields(exchange) }) });
}

export const messageFaults = faultsOf({
  'messages.success-status': {
    'message-201': {
      sentence: 'An accepted message is answered 201.',
      alter: () => ({ messageAnswerStatus: () => 201 }),
    },
    'finished-message-201': {
      sentence: 'A message whose response finishes within wait is answered 201.',
      alter: (rules) => ({
        messageAnswerStatus: (finished, request) => (finished ? 201 : rules.messageAnswerStatus(finished, request)),
      }),
    },
  },
  'messages.envelope': {
    'message-without-data': {
      sentence: 'The chat and its messages are at the top level of the answer, not in data.',
      alter: () => ({ messageAnswer: (data) => data }),
    },
    'accepted-without-assistant': {
      sentence: 'The answer has no assistantMessage while the response is generating.',
      alter: (rules) => ({
        messageAnswer: (data, request) =>
          rules.messageAnswer(hasWait(request) ? data : without(data, 'assistantMessage'), request),
      }),
    },
  },
  'messages.chat-types': {
    'chat-created-epoch': {
      sentence: 'createdAt of a chat is a number.',
      alter: chats(set({ createdAt: 1_768_478_400 })),
    },
    'chat-member-expanded': {
      sentence: 'memberId of a chat is an object when the response is finished.',
      alter: chats((chat, request) =>
        hasWait(request) ? { ...chat, memberId: { id: chat['memberId'] ?? null } } : chat,
      ),
    },
  },
  'messages.message-types': {
    'parts-one-object': {
      sentence: 'parts of a message with one part is an object instead of an array.',
      alter: answers(() => ({ parts: { type: 'text', content: 'ok' } })),
    },
    'chart-width-text': {
      sentence: 'The width of a chart is "640px".',
      idle: { 'message-fields': ['few', 'nulls'] },
      alter: () => ({ chartShown: set({ width: '640px' }) }),
    },
  },
  'messages.chat-is-the-path': {
    'chat-of-caller': {
      sentence: 'organizationId of the chat is empty.',
      alter: chats(set({ organizationId: '' })),
    },
    'assistant-in-thread-of-its-own': {
      sentence: 'chatId of the assistant message is the internal thread of the agent.',
      alter: answers(({ assistantId }) => ({ chatId: `thread-${assistantId}` })),
    },
    'chat-cached-for-good': {
      sentence: 'The first chat that is loaded stays in a global variable and is returned for all chats.',
      alter: () => {
        let first: unknown;
        return {
          chatShown: (chat) => {
            first ??= chat['id'];
            return typeof first === 'string' ? { ...chat, id: first } : chat;
          },
        };
      },
    },
  },
  'messages.distinct-ids': {
    'one-id-for-both-messages': {
      sentence: 'The user message and the assistant message have the same ID.',
      alter: () => {
        let latest = '';
        return {
          messageId: (fresh, _request, role) => {
            if (role === 'user') latest = fresh;
            return latest;
          },
        };
      },
    },
    'one-id-with-a-key': {
      sentence: 'The answer to a message with a key shows the ID of the stored request in both messages.',
      alter: (rules) => ({
        messageAnswer(data, request) {
          const { userMessage, assistantMessage } = data;
          const isKeyed =
            keyOf(request, rules) !== undefined && isJsonObject(userMessage) && isJsonObject(assistantMessage);
          const shown = isKeyed ? { assistantMessage: { ...assistantMessage, id: userMessage['id'] ?? null } } : {};
          return rules.messageAnswer({ ...data, ...shown }, request);
        },
      }),
    },
    'user-id-used-again': {
      sentence: 'A user message of a chat has the ID of the user message before it.',
      alter: () => ({
        messageId: (fresh, _request, role, previous) =>
          role === 'user' && previous !== undefined ? previous.userId : fresh,
      }),
    },
    'message-ids-begin-anew': {
      sentence: 'The messages of a chat are numbered with five bits, so their IDs repeat after 32 messages.',
      alter: () => {
        const given = new Map<string, string[]>();
        return {
          messageId: (fresh, { ids: { chatId } }) => {
            const ids = given.get(chatId) ?? [];
            const old = ids.length < 32 ? undefined : ids.shift();
            const id = old ?? fresh;
            given.set(chatId, [...ids, id]);
            return id;
          },
        };
      },
    },
  },
  'messages.accepted-is-generating': {
    'always-202': {
      sentence: 'The answer is 202 even if the response is finished within wait.',
      idle: { assistant: ['minutes'] },
      alter: () => ({ messageAnswerStatus: () => 202 }),
    },
    'waited-says-completed': {
      sentence:
        'When the seconds of wait end, the assistant message is shown as completed, although the response goes on.',
      idle: { assistant: neverOutlastsWait },
      alter: (rules) => ({
        assistantStatus: (finished, request) => rules.assistantStatus(finished || hasWait(request), request),
      }),
    },
    'repetition-says-completed': {
      sentence: 'A repetition is answered 202 with the status completed, the default of the table that it reads.',
      idle: { assistant: neverOutlastsWait, ...firstAnswerRepeated },
      alter: onRepetitions((isRepetition, rules) => ({
        assistantStatus: (finished, request) => rules.assistantStatus(finished || isRepetition(request), request),
      })),
    },
    'accepted-says-completed': {
      sentence: 'The assistant message has the status completed from the beginning.',
      alter: () => ({ assistantStatus: () => 'completed' }),
    },
  },
  'messages.ok-is-finished': {
    'always-200': {
      sentence: 'The answer is 200 even while the response is generating.',
      idle: { assistant: ['at-once'] },
      alter: () => ({ messageAnswerStatus: () => 200 }),
    },
    'wait-over-200': {
      sentence: 'The answer is 200 even if the seconds of wait end before the response is finished.',
      idle: { assistant: neverOutlastsWait },
      alter: (rules) => ({
        messageAnswerStatus: (finished, request) => rules.messageAnswerStatus(finished || hasWait(request), request),
      }),
    },
    'finished-says-generating': {
      sentence: 'A 200 answer contains the assistant message as first stored, with the status generating.',
      alter: () => ({ assistantStatus: () => 'generating' }),
    },
    'slow-finished-says-generating': {
      sentence: 'The job that stores the end of a response gives up after 2 s, so a longer one is shown as generating.',
      idle: { assistant: [...hardlyOutlastsWait, 'always-2-s'] },
      alter: () => ({
        assistantMessageShown: (message, _request, { acceptedAt, finishesAt }, finished) =>
          finished && finishesAt - acceptedAt > 2000 ? { ...message, status: 'generating' } : message,
      }),
    },
    'now-and-then-200': {
      sentence: 'One of eight answers is 200 although the response is generating.',
      idle: { assistant: ['at-once'] },
      alter: (rules) => {
        let count = 0;
        return {
          messageAnswerStatus: (finished, request) => {
            if (!finished) count += 1;
            return rules.messageAnswerStatus(finished || count % 8 === 0, request);
          },
        };
      },
    },
    'repetition-says-finished': {
      sentence: 'A repeated request is answered 200 even while the response is generating.',
      idle: { assistant: neverOutlastsWait, ...firstAnswerRepeated },
      alter: onRepetitions((isRepetition, rules) => ({
        messageAnswerStatus: (finished, request) =>
          rules.messageAnswerStatus(finished || isRepetition(request), request),
      })),
    },
  },
  'messages.unknown-chat': {
    'unknown-chat-is-first': {
      sentence: 'A message to a chat that does not exist goes to the first chat of the organization.',
      alter: () => ({
        chatId: (id, _request, all) => {
          const known = all();
          return known.includes(id) ? id : (known[0] ?? id);
        },
      }),
    },
    'unknown-chat-202': {
      sentence: 'A message to a chat that does not exist is answered 202 and lost.',
      alter: refusedWith(202, 'unknownChat'),
    },
  },
});
