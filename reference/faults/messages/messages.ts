import type { JsonObject } from '../../http/json.ts';
import type { Request } from '../../http/request.ts';
import type { Exchange } from '../../state/state.ts';
import type { Fault } from '../../variation.ts';
import { onRepetitions, refusedWith } from '../shared/alterations.ts';
import { firstAnswerRepeated, neverOutlastsWait } from '../shared/idle.ts';
import { hasWait } from '../shared/requests.ts';
import { set, without } from '../shared/values.ts';

/** Chats that are shown wrongly. */
function chats(change: (chat: JsonObject, request: Request) => JsonObject): Fault['alter'] {
  return () => ({ chatShown: change });
}

/** Assistant messages that are shown wrongly. */
function answers(fields: (exchange: Exchange) => JsonObject): Fault['alter'] {
  return () => ({ assistantMessageShown: (message, _request, exchange) => ({ ...message, ...fields(exchange) }) });
}

export const messageFaults: readonly Fault[] = [
  {
    name: 'message-201',
    breaks: 'messages.success-status',
    sentence: 'An accepted message is answered 201.',
    alter: () => ({ messageAnswerStatus: () => 201 }),
  },
  {
    name: 'finished-message-201',
    breaks: 'messages.success-status',
    sentence: 'A message whose response finishes within wait is answered 201.',
    alter: (rules) => ({
      messageAnswerStatus: (finished, request) => (finished ? 201 : rules.messageAnswerStatus(finished, request)),
    }),
  },
  {
    name: 'message-without-data',
    breaks: 'messages.envelope',
    sentence: 'The chat and its messages are at the top level of the answer, not in data.',
    alter: () => ({ messageAnswer: (data) => data }),
  },
  {
    name: 'accepted-without-assistant',
    breaks: 'messages.envelope',
    sentence: 'The answer has no assistantMessage while the response is generating.',
    alter: (rules) => ({
      messageAnswer: (data, request) =>
        rules.messageAnswer(hasWait(request) ? data : without(data, 'assistantMessage'), request),
    }),
  },
  {
    name: 'chat-created-epoch',
    breaks: 'messages.chat-types',
    sentence: 'createdAt of a chat is a number.',
    alter: chats(set({ createdAt: 1_768_478_400 })),
  },
  {
    name: 'chat-member-expanded',
    breaks: 'messages.chat-types',
    sentence: 'memberId of a chat is an object when the response is finished.',
    alter: chats((chat, request) =>
      hasWait(request) ? { ...chat, memberId: { id: chat['memberId'] ?? null } } : chat,
    ),
  },
  {
    name: 'parts-one-object',
    breaks: 'messages.message-types',
    sentence: 'parts of a message with one part is an object instead of an array.',
    alter: answers(() => ({ parts: { type: 'text', content: 'ok' } })),
  },
  {
    name: 'chart-width-text',
    breaks: 'messages.message-types',
    sentence: 'The width of a chart is "640px".',
    idle: { 'message-fields': ['few', 'nulls'] },
    alter: () => ({ chartShown: set({ width: '640px' }) }),
  },
  {
    name: 'chat-of-caller',
    breaks: 'messages.chat-is-the-path',
    sentence: 'organizationId of the chat is empty.',
    alter: chats(set({ organizationId: '' })),
  },
  {
    name: 'assistant-in-thread-of-its-own',
    breaks: 'messages.chat-is-the-path',
    sentence: 'chatId of the assistant message is the internal thread of the agent.',
    alter: answers(({ assistantId }) => ({ chatId: `thread-${assistantId}` })),
  },
  {
    name: 'one-id-for-both-messages',
    breaks: 'messages.distinct-ids',
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
  {
    name: 'parent-is-itself',
    breaks: 'messages.parent-in-chat',
    sentence: 'The parentId of a user message is the ID of the message itself.',
    idle: { 'message-fields': ['few'] },
    alter: () => ({ userMessageShown: (message, _request, { userId }) => ({ ...message, parentId: userId }) }),
  },
  {
    name: 'parent-of-all-chats',
    breaks: 'messages.parent-in-chat',
    sentence: 'The parent of a user message is the latest message of any chat.',
    idle: { 'message-fields': ['few'] },
    alter: () => {
      let latest: string | null = null;
      return {
        onAccepted: ({ assistantId }) => {
          latest = assistantId;
        },
        parentOfUser: () => latest,
      };
    },
  },
  {
    name: 'user-id-used-again',
    breaks: 'messages.distinct-ids',
    sentence: 'A user message of a chat has the ID of the user message before it.',
    alter: () => ({
      messageId: (fresh, _request, role, previous) =>
        role === 'user' && previous !== undefined ? previous.userId : fresh,
    }),
  },
  {
    name: 'chat-cached-for-good',
    breaks: 'messages.chat-is-the-path',
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
  {
    name: 'message-ids-begin-anew',
    breaks: 'messages.distinct-ids',
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
  {
    name: 'always-202',
    breaks: 'messages.accepted-is-generating',
    sentence: 'The answer is 202 even if the response is finished within wait.',
    idle: { assistant: ['minutes'] },
    alter: () => ({ messageAnswerStatus: () => 202 }),
  },
  {
    name: 'accepted-says-completed',
    breaks: 'messages.accepted-is-generating',
    sentence: 'The assistant message has the status completed from the beginning.',
    alter: () => ({ assistantStatus: () => 'completed' }),
  },
  {
    name: 'always-200',
    breaks: 'messages.ok-is-finished',
    sentence: 'The answer is 200 even while the response is generating.',
    idle: { assistant: ['at-once'] },
    alter: () => ({ messageAnswerStatus: () => 200 }),
  },
  {
    name: 'wait-over-200',
    breaks: 'messages.ok-is-finished',
    sentence: 'The answer is 200 even if the seconds of wait end before the response is finished.',
    idle: { assistant: neverOutlastsWait },
    alter: (rules) => ({
      messageAnswerStatus: (finished, request) => rules.messageAnswerStatus(finished || hasWait(request), request),
    }),
  },
  {
    name: 'finished-says-generating',
    breaks: 'messages.ok-is-finished',
    sentence: 'A 200 answer contains the assistant message as first stored, with the status generating.',
    alter: () => ({ assistantStatus: () => 'generating' }),
  },
  {
    name: 'repetition-says-finished',
    breaks: 'messages.ok-is-finished',
    sentence: 'A repeated request is answered 200 even while the response is generating.',
    idle: { assistant: neverOutlastsWait, ...firstAnswerRepeated },
    alter: onRepetitions((isRepetition, rules) => ({
      messageAnswerStatus: (finished, request) => rules.messageAnswerStatus(finished || isRepetition(request), request),
    })),
  },
  {
    name: 'unknown-chat-is-first',
    breaks: 'messages.unknown-chat',
    sentence: 'A message to a chat that does not exist goes to the first chat of the organization.',
    alter: () => ({
      chatId: (id, _request, all) => {
        const known = all();
        return known.includes(id) ? id : (known[0] ?? id);
      },
    }),
  },
  {
    name: 'unknown-chat-202',
    breaks: 'messages.unknown-chat',
    sentence: 'A message to a chat that does not exist is answered 202 and lost.',
    alter: refusedWith(202, 'unknownChat'),
  },
];
