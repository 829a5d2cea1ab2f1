import type { RefusalKind } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { onRepetitions } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { firstAnswerRepeated, withoutParents } from '../shared/idle.ts';
import { keyOf } from '../shared/requests.ts';

/** Messages whose keys were refused in that way before are not found by their keys. */
function lostAfter(kind: RefusalKind, where: 'anywhere' | 'elsewhere' = 'anywhere'): Fault['alter'] {
  return (rules) => {
    const refused = new Map<string | undefined, string>();
    return {
      onRefused: (why, request) => {
        if (why.kind === kind) refused.set(keyOf(request, rules), request.ids.chatId);
      },
      keyKnown: (isKnown, request) => {
        const chatId = refused.get(keyOf(request, rules));
        const isLost = chatId !== undefined && (where === 'anywhere' || chatId !== request.ids.chatId);
        return isKnown && !isLost;
      },
    };
  };
}

/** Keys that are stored in the wrong place or forgotten by accident. */
export const keyLifetimeFaults = faultsOf({
  'idempotency.after': {
    'key-of-no-value-is-none': {
      sentence: 'The keys 0, null and undefined count as no key.',
      idle: { 'key-required': ['yes'] },
      alter: () => ({ key: (key) => (['0', 'null', 'undefined'].includes(key ?? '') ? undefined : key) }),
    },
    'key-lost-after-conflict': {
      sentence: 'A key that was answered 409 before its message was accepted is not stored.',
      idle: { 'key-after-conflict': ['used-up'], assistant: ['at-once', 'slow-is-quick'] },
      alter: lostAfter('conflict'),
    },
    'key-lost-after-invalid': {
      sentence: 'A key that an invalid message was sent with is marked as done and stores nothing later.',
      alter: lostAfter('invalidMessage'),
    },
    'key-lost-after-unknown-chat': {
      sentence: 'A key that was sent to an unknown chat first is marked as done and stores nothing later.',
      alter: lostAfter('unknownChat'),
    },
    'key-of-the-first-writer': {
      sentence: 'Keys are stored in the session of the first writer of a chat, and those of other writers are lost.',
      alter: (rules) => {
        const writers = new Map<string, string>();
        return {
          keyScope: (caller, chatId, key, request) => {
            const first = writers.get(chatId) ?? caller;
            writers.set(chatId, first);
            const scope = rules.keyScope(caller, chatId, key, request);
            return caller === first ? scope : `${request.turn} ${scope}`;
          },
        };
      },
    },
    'keys-of-one-organization-alone': {
      sentence:
        'Keys are stored for the organization that used one first; the others were moved to a cluster without them.',
      alter: () => {
        let first: string | undefined;
        return {
          key: (key, { ids: { organizationId } }) => {
            first ??= organizationId;
            return organizationId === first ? key : undefined;
          },
        };
      },
    },
    'key-of-the-client': {
      sentence: 'A key is stored with the User-Agent of its request, so another client does not find it.',
      alter: (rules) => ({
        keyScope: (caller, chatId, key, request) =>
          `${request.headers['user-agent']} ${rules.keyScope(caller, chatId, key, request)}`,
      }),
    },
    'key-of-the-format': {
      sentence: 'A key is stored with the Accept of its request, so a client that accepts anything does not find it.',
      alter: (rules) => ({
        keyScope: (caller, chatId, key, request) =>
          `${request.headers['accept']} ${rules.keyScope(caller, chatId, key, request)}`,
      }),
    },
    'key-of-the-wait': {
      sentence: 'A key is stored with the wait of its request, so a repetition with another wait is new.',
      alter: (rules) => ({
        keyScope: (caller, chatId, key, request) =>
          `${request.query.get('wait')?.join()} ${rules.keyScope(caller, chatId, key, request)}`,
      }),
    },
    'key-lost-after-emoji': {
      sentence: 'A key is stored with its text in a column of three bytes a character, which fails for emoji.',
      alter: () => ({ keyKnown: (isKnown, _request, { text }) => isKnown && !/\p{Emoji_Presentation}/u.test(text) }),
    },
    'key-lost-after-conflict-elsewhere': {
      sentence: 'A 409 in one chat deletes the key of its message for all chats of the caller.',
      idle: { 'key-scope': ['caller', 'service'], assistant: ['at-once', 'slow-is-quick'] },
      alter: lostAfter('conflict', 'elsewhere'),
    },
    'key-lost-after-limit': {
      sentence: 'A 429 deletes the key of its request, also if it repeats an accepted message.',
      alter: lostAfter('rateLimited'),
    },
    'key-lost-after-denial': {
      sentence: 'A key that a caller without the role sent first is marked as done and stores nothing later.',
      alter: lostAfter('denied'),
    },
    'repetition-with-new-parent': {
      sentence: 'The assistant message of a repeated request has the latest message of its chat as its parent.',
      idle: { ...withoutParents, ...firstAnswerRepeated },
      alter: (rules) => {
        const latest = new Map<string, string>();
        return {
          onAccepted: ({ chatId, userId }) => void latest.set(chatId, userId),
          ...onRepetitions((isRepetition) => ({
            assistantMessageShown: (message, request, { chatId }) =>
              isRepetition(request) ? { ...message, parentId: latest.get(chatId) ?? null } : message,
          }))(rules),
        };
      },
    },
  },
  'idempotency.later': {
    'repetition-answered-now': {
      sentence: 'createdAt of the assistant message is the time of the repeated request.',
      idle: { 'message-fields': ['few'], ...firstAnswerRepeated },
      alter: (rules) => ({
        ...onRepetitions((isRepetition) => ({
          assistantMessageShown: (message, request) =>
            isRepetition(request) ? { ...message, createdAt: rules.timestamp(request.at) } : message,
        }))(rules),
      }),
    },
    'key-of-the-minute': {
      sentence: 'Keys are stored by minute, so a repetition in the next minute is new.',
      alter: (rules) => ({
        keyScope: (caller, chatId, key, request) =>
          `${Math.floor(request.at / 60_000)} ${rules.keyScope(caller, chatId, key, request)}`,
      }),
    },
    'four-keys-a-chat': {
      sentence: 'A chat remembers its four latest keys.',
      idle: { assistant: ['slow-is-half-a-second'] }, // Then a run sends too few messages to a chat before a key is repeated late.
      alter: () => ({ keyKnown: (isKnown, _request, _exchange, _finished, later) => isKnown && later < 4 }),
    },
  },
  'idempotency.other-chat': {
    'key-and-text-for-all': {
      sentence: 'A message is found by its key and its text in any chat.',
      alter: () => ({
        keyScope: (_caller, _chatId, key, { body }) => `${key} ${body}`,
        replayInOtherChat: () => 'original',
      }),
    },
  },
});
