import type { Fault } from '../../variation.ts';
import { notedRepetitions } from '../shared/noted-repetitions.ts';
import { without } from '../shared/records.ts';

export const messageFaults: readonly Fault[] = [
  {
    name: 'message-201',
    breaks: 'messages.success-status',
    sentence: 'An accepted message is answered 201, as something was created.',
    alter: () => ({ messageAnswerStatus: () => 201 }),
  },
  {
    name: 'finished-message-201',
    breaks: 'messages.success-status',
    sentence: 'A message whose response finished within wait is answered 201.',
    alter: (rules) => ({
      messageAnswerStatus: (finished, request) => (finished ? 201 : rules.messageAnswerStatus(finished, request)),
    }),
  },
  {
    name: 'message-without-data',
    breaks: 'messages.envelope',
    sentence: 'chat and messages stand at the top of the answer, not within data.',
    alter: () => ({ messageAnswer: (data) => data }),
  },
  {
    name: 'accepted-without-assistant',
    breaks: 'messages.envelope',
    sentence: 'While the assistant responds there is no assistantMessage in the answer.',
    alter: (rules) => ({
      messageAnswer: (data, request) =>
        rules.messageAnswer(request.query.has('wait') ? data : without(data, 'assistantMessage'), request),
    }),
  },
  {
    name: 'chat-created-epoch',
    breaks: 'messages.chat-types',
    sentence: 'createdAt of a chat is a number.',
    alter: (rules) => ({
      chatShown: (chat, request) => ({ ...rules.chatShown(chat, request), createdAt: 1_768_478_400 }),
    }),
  },
  {
    name: 'chat-member-expanded',
    breaks: 'messages.chat-types',
    sentence: 'memberId of a chat is the whole member once the response is finished.',
    alter: (rules) => ({
      chatShown: (chat, request) => {
        const shown = rules.chatShown(chat, request);
        return request.query.has('wait') ? { ...shown, memberId: { id: shown['memberId'] ?? null } } : shown;
      },
    }),
  },
  {
    name: 'parts-one-object',
    breaks: 'messages.message-types',
    sentence: 'A message of one part has the part itself for parts.',
    alter: (rules) => ({
      assistantMessageShown: (message, exchange, finished, request) => ({
        ...rules.assistantMessageShown(message, exchange, finished, request),
        parts: { type: 'text', content: 'ok' },
      }),
    }),
  },
  {
    name: 'chart-width-text',
    breaks: 'messages.message-types',
    sentence: 'The width of a chart is "640px".',
    idle: { 'message-fields': ['few', 'nulls'] },
    alter: (rules) => ({ chartShown: (chart, request) => ({ ...rules.chartShown(chart, request), width: '640px' }) }),
  },
  {
    name: 'chat-of-caller',
    breaks: 'messages.chat-is-the-path',
    sentence: "The chat's organizationId is empty.",
    alter: (rules) => ({ chatShown: (chat, request) => ({ ...rules.chatShown(chat, request), organizationId: '' }) }),
  },
  {
    name: 'assistant-in-thread-of-its-own',
    breaks: 'messages.chat-is-the-path',
    sentence: 'chatId of the assistant message is the thread in which the agent runs.',
    alter: (rules) => ({
      assistantMessageShown: (message, exchange, finished, request) => ({
        ...rules.assistantMessageShown(message, exchange, finished, request),
        chatId: `thread-${exchange.assistantId}`,
      }),
    }),
  },
  {
    name: 'one-id-for-both-messages',
    breaks: 'messages.distinct-ids',
    sentence: 'User message and assistant message share the ID of their turn.',
    alter: (rules) => {
      let latest = '';
      return {
        messageId: (fresh, role, previous, request) => {
          if (role === 'user') latest = rules.messageId(fresh, role, previous, request);
          return latest;
        },
      };
    },
  },
  {
    name: 'parent-is-itself',
    breaks: 'messages.parent-in-chat',
    sentence: 'The parent of a user message is read after the message was stored, and is the message itself.',
    idle: { 'message-fields': ['few'] },
    alter: (rules) => ({
      userMessageShown: (message, exchange, request) =>
        rules.userMessageShown({ ...message, parentId: exchange.userId }, exchange, request),
    }),
  },
  {
    name: 'parent-of-all-chats',
    breaks: 'messages.parent-in-chat',
    sentence: 'A user message follows the latest message that there is, of whatever chat.',
    idle: { 'message-fields': ['few'] },
    alter: (rules) => {
      let latest: string | null = null;
      let before: string | null = null;
      return {
        messageId: (fresh, role, previous, request) => {
          const id = rules.messageId(fresh, role, previous, request);
          if (role === 'user') before = latest;
          else latest = id;
          return id;
        },
        parentOfUser: () => before,
      };
    },
  },
  {
    name: 'user-id-used-again',
    breaks: 'messages.distinct-ids',
    sentence: 'Every second user message of a chat has the ID of the one before.',
    alter: (rules) => ({
      messageId: (fresh, role, previous, request) =>
        role === 'user' && previous !== undefined ? previous.userId : rules.messageId(fresh, role, previous, request),
    }),
  },
  {
    name: 'chat-cached-for-good',
    breaks: 'messages.chat-is-the-path',
    sentence:
      'The chat is kept in a variable of the module once it is loaded, and shown with the messages of all others.',
    alter: (rules) => {
      let first: unknown;
      return {
        chatShown: (chat, request) => {
          const shown = rules.chatShown(chat, request);
          first ??= shown['id'];
          return typeof first === 'string' ? { ...shown, id: first } : shown;
        },
      };
    },
  },
  {
    name: 'message-ids-begin-anew',
    breaks: 'messages.distinct-ids',
    sentence:
      'The messages of a chat are numbered in five bits: after sixteen questions and answers their IDs begin anew.',
    alter: (rules) => {
      const given = new Map<string, string[]>();
      return {
        messageId: (fresh, role, previous, request) => {
          const ids = given.get(request.ids.chatId) ?? [];
          const old = ids.length < 32 ? undefined : ids.shift();
          const id = old ?? rules.messageId(fresh, role, previous, request);
          given.set(request.ids.chatId, [...ids, id]);
          return id;
        },
      };
    },
  },
  {
    name: 'always-202',
    breaks: 'messages.accepted-is-generating',
    sentence: 'The answer is 202 also when the response was finished within wait.',
    idle: { assistant: ['minutes'] },
    alter: () => ({ messageAnswerStatus: () => 202 }),
  },
  {
    name: 'accepted-says-completed',
    breaks: 'messages.accepted-is-generating',
    sentence: 'The assistant message has the status of the user message, completed, from the beginning.',
    alter: () => ({ assistantStatus: () => 'completed' }),
  },
  {
    name: 'always-200',
    breaks: 'messages.ok-is-finished',
    sentence: 'The answer is 200 also while the response is generating.',
    idle: { assistant: ['at-once'] },
    alter: () => ({ messageAnswerStatus: () => 200 }),
  },
  {
    name: 'wait-over-200',
    breaks: 'messages.ok-is-finished',
    sentence: 'The answer is 200 also when the seconds of wait were over before the response was.',
    idle: { assistant: ['at-once', 'slow-is-quick', 'slow-is-half-a-second', 'moody'] },
    alter: (rules) => ({
      messageAnswerStatus: (finished, request) =>
        rules.messageAnswerStatus(finished || request.query.has('wait'), request),
    }),
  },
  {
    name: 'finished-says-generating',
    breaks: 'messages.ok-is-finished',
    sentence: 'The answer 200 shows the assistant message as it was stored first, still generating.',
    alter: () => ({ assistantStatus: () => 'generating' }),
  },
  {
    name: 'repetition-says-finished',
    breaks: 'messages.ok-is-finished',
    sentence: 'A repeated message is answered 200 whatever the assistant is doing, because it was found.',
    idle: { assistant: ['at-once', 'slow-is-quick', 'slow-is-half-a-second', 'moody'], 'replay-form': ['original'] },
    alter: (rules) => {
      const { repeated, noting } = notedRepetitions(rules);
      return {
        ...noting,
        messageAnswerStatus: (finished, request) =>
          rules.messageAnswerStatus(finished || repeated.has(request.turn), request),
      };
    },
  },
  {
    name: 'unknown-chat-is-first',
    breaks: 'messages.unknown-chat',
    sentence: "A chat that does not exist falls back to the organization's first one.",
    alter: (rules) => ({
      chatNamed: (id, all, request) => {
        const chats = all();
        return chats.includes(id) ? id : (chats[0] ?? rules.chatNamed(id, all, request));
      },
    }),
  },
  {
    name: 'unknown-chat-202',
    breaks: 'messages.unknown-chat',
    sentence: 'A message to a chat that does not exist is answered 202 and lost in the queue.',
    alter: (rules) => ({
      refusalStatus: (kind, request) => (kind === 'unknownChat' ? 202 : rules.refusalStatus(kind, request)),
    }),
  },
];
