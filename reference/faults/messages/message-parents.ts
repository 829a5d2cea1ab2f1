import { faultsOf } from '../shared/faults-of.ts';
import { withoutParents } from '../shared/idle.ts';

/** What parentId of a message names. */
export const messageParentFaults = faultsOf({
  'messages.parent-is-another': {
    'parent-is-itself': {
      sentence: 'The parentId of a user message is the ID of the message itself.',
      idle: { 'message-fields': ['few'] },
      alter: () => ({ userMessageShown: (message, _request, { userId }) => ({ ...message, parentId: userId }) }),
    },
    'answer-is-its-own-parent': {
      sentence: 'The parentId of an assistant message is the ID of the message itself.',
      idle: { 'message-fields': ['few'] },
      alter: () => ({
        assistantMessageShown: (message) => ({ ...message, parentId: message['id'] ?? null }),
      }),
    },
  },
  'messages.parent-in-chat': {
    'answer-to-the-chat': {
      sentence: 'The parentId of an assistant message is the ID of the chat, by which the assistant was called.',
      idle: { 'message-fields': ['few'], ids: ['number'] },
      alter: () => ({
        assistantMessageShown: (message) => ({ ...message, parentId: message['chatId'] ?? null }),
      }),
    },
    'parent-in-capitals': {
      sentence: 'The parentId of a user message is written in capitals, unlike the ID of the parent.',
      idle: { ...withoutParents, ids: ['number', 'per-organization'] },
      alter: () => ({
        userMessageShown: (message) => ({ ...message, parentId: String(message['parentId'] ?? '').toUpperCase() }),
      }),
    },
    'answer-to-another-chat': {
      sentence: 'The parent of an assistant message is the user message before the one that it answers, of any chat.',
      idle: withoutParents,
      alter: (rules) => {
        const parents = new Map<string, string>();
        let latest: string | undefined;
        return {
          onAccepted: ({ userId }) => {
            if (latest !== undefined) parents.set(userId, latest);
            latest = userId;
          },
          parentOfAssistant: (exchange, request) =>
            parents.get(exchange.userId) ?? rules.parentOfAssistant(exchange, request),
        };
      },
    },
    'parent-of-all-chats': {
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
  },
});
