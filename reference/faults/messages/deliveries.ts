import { faultsOf } from '../shared/faults-of.ts';
import { keyOf } from '../shared/requests.ts';

/** A late event changes a message this many milliseconds after its response was finished. */
const lateMs = 1000;

/** Events that are delivered late, and caches of keys. */
export const deliveryFaults = faultsOf({
  'messages.updated-after-created': {
    'created-in-local-time': {
      sentence: 'createdAt of a message is written in the time zone of the server, two hours ahead, and marked as UTC.',
      alter: (rules) => ({
        userMessageShown: (message, _request, { acceptedAt }) => ({
          ...message,
          createdAt: rules.timestamp(acceptedAt + 7_200_000),
        }),
      }),
    },
  },
  'messages.chat-updated-after-created': {
    'chat-updated-in-1970': {
      sentence: 'updatedAt of a chat is stored in seconds and read as milliseconds.',
      alter: (rules) => ({
        chatShown: (chat, request) => ({ ...chat, updatedAt: rules.timestamp(Math.floor(request.at / 1000)) }),
      }),
    },
  },
  'messages.chat-created-once': {
    'chat-created-in-two-zones': {
      sentence:
        'One of two servers writes createdAt of a chat in its own time zone, two hours ahead, and marks it as UTC.',
      alter: (rules) => ({
        chatShown: (chat, { turn }) => {
          const createdAt = rules.timestamp(Date.parse(String(chat['createdAt'])) + 7_200_000);
          return turn % 2 === 0 || chat['createdAt'] === undefined ? chat : { ...chat, createdAt };
        },
      }),
    },
    'chat-created-with-last-message': {
      sentence: 'createdAt of a chat is the time of its last message.',
      alter: (rules) => {
        const last = new Map<string, number>();
        return {
          userMessageShown: (message, { ids }, { acceptedAt }) => {
            last.set(ids.chatId, acceptedAt);
            return message;
          },
          chatShown: (chat, { ids, at }) => ({ ...chat, createdAt: rules.timestamp(last.get(ids.chatId) ?? at) }),
        };
      },
    },
  },
  'messages.created-now': {
    'written-in-local-time': {
      sentence: 'What is written now gets the time of the zone of the server, five hours behind, and is marked as UTC.',
      idle: { 'server-time': ['minute-behind'] }, // Clocks may differ by hardly more than a minute.
      alter: (rules) => ({ timestamp: (ms) => rules.timestamp(ms - 18_000_000) }),
    },
    'buddhist-calendar': {
      sentence: 'Timestamps are written in the calendar of the locale, in which the years are 543 ahead.',
      alter: (rules) => ({
        timestamp: (ms) => rules.timestamp(ms).replace(/^\d{4}/, (year) => String(Number(year) + 543)),
      }),
    },
  },
  'messages.created-in-order': {
    'answer-created-in-local-time': {
      sentence:
        'The worker of the assistant writes createdAt in its time zone, seven hours behind, and marks it as UTC.',
      alter: (rules) => ({
        assistantMessageShown: (message, _request, { acceptedAt }) => ({
          ...message,
          createdAt: rules.timestamp(acceptedAt - 25_200_000),
        }),
      }),
    },
    'created-in-1970': {
      sentence: 'createdAt of a message is stored in seconds and read as milliseconds.',
      alter: (rules) => {
        const inSeconds = (acceptedAt: number) => ({ createdAt: rules.timestamp(acceptedAt / 1000) });
        return {
          userMessageShown: (message, _request, { acceptedAt }) => ({ ...message, ...inSeconds(acceptedAt) }),
          assistantMessageShown: (message, _request, { acceptedAt }) => ({ ...message, ...inSeconds(acceptedAt) }),
        };
      },
    },
  },
  'messages.roles-differ': {
    'both-are-assistants': {
      sentence: 'The role of a message is that of the latest message of its chat.',
      alter: (rules) => ({
        userMessageShown: (message, request) => ({ ...message, role: rules.assistantRole(request) }),
      }),
    },
    'roles-swapped': {
      sentence: 'The author of the question is taken for that of the answer, and the other way around.',
      alter: (rules) => ({
        userMessageShown: (message, request) => ({ ...message, role: rules.assistantRole(request) }),
        assistantMessageShown: (message) => ({ ...message, role: 'user' }),
      }),
    },
  },
  'messages.text': {
    'text-of-the-message-before': {
      sentence: 'A text that its chat has had before is shown as the text of the message before it, by a wrong join.',
      alter: () => {
        const texts = new Map<string, readonly string[]>();
        const stale = new Map<string, string>();
        return {
          onAccepted: ({ chatId, userId, text }) => {
            const earlier = texts.get(chatId) ?? [];
            const before = earlier.at(-1);
            if (before !== undefined && earlier.includes(text)) stale.set(userId, before);
            texts.set(chatId, [...earlier, text]);
          },
          userMessageShown: (message) => ({
            ...message,
            text: stale.get(String(message['id'])) ?? message['text'] ?? null,
          }),
        };
      },
    },
    'slash-begins-a-command': {
      sentence: 'A text with a slash at its beginning is refused as an unknown command.',
      alter: () => ({ charactersAccepted: (text) => !text.startsWith('/') }),
    },
  },
  'idempotency.after': {
    'late-event-reopens': {
      sentence:
        'The event that a response has begun arrives after its end, so the finished message is generating again.',
      alter: (rules) => ({
        finished: (finishesAt, now, request) => rules.finished(finishesAt, now, request) && now < finishesAt + lateMs,
      }),
    },
    'key-for-five-requests': {
      sentence: 'A key can be used five times; after that it counts as new.',
      alter: () => {
        const uses = new Map<unknown, number>();
        return {
          onRepeated: (exchange) => void uses.set(exchange, (uses.get(exchange) ?? 0) + 1),
          keyKnown: (isKnown, _request, exchange) => isKnown && (uses.get(exchange) ?? 0) < 5,
        };
      },
    },
  },
  'idempotency.later': {
    'twenty-keys-in-all': {
      sentence: 'The cache of keys holds twenty; a new one displaces the oldest.',
      alter: (rules) => {
        const keys = new Set<string>();
        return {
          onAccepted: (_message, request) => {
            keys.add(keyOf(request, rules) ?? '');
            const [oldest] = keys;
            if (keys.size > 20 && oldest !== undefined) keys.delete(oldest);
          },
          keyKnown: (isKnown, request) => isKnown && keys.has(keyOf(request, rules) ?? ''),
        };
      },
    },
  },
  'robustness.json': {
    'xml-unless-asked-for-json': {
      sentence: 'A client that accepts anything gets XML.',
      alter: () => ({
        bodyText: (text, { headers }) =>
          (headers['accept'] ?? '*/*') === '*/*' ? `<?xml version="1.0"?><answer>${text.length}</answer>` : text,
      }),
    },
  },
});
