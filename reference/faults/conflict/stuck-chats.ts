import type { Exchange } from '../../state/state.ts';
import type { Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { firstAnswerRepeated, neverOutlastsWait, withoutParents } from '../shared/idle.ts';
import { hasWait } from '../shared/requests.ts';

/** Choices under which no request is held, or no response outlasts its client. */
const withoutLostAnswers = { assistant: neverOutlastsWait, 'client-gone': ['response-ends', 'withdrawn'] };

/** Responses to long texts fail. */
function isFailed({ text }: Exchange): boolean {
  return text.length > 9000;
}

/** The response to a text that contains this never finishes. */
function diesOf(part: string): Fault['alter'] {
  return (rules) => ({
    assistantMs: (text, request) => (text.includes(part) ? Number.POSITIVE_INFINITY : rules.assistantMs(text, request)),
  });
}

/** How long a lease lingers, in milliseconds: longer than a response may look late. */
const lingersMs = 6500;

/** Chats that stay busy when something went wrong. */
export const stuckChatFaults = faultsOf({
  'conflict.refused': {
    'response-cancelled-after-shortest-wait': {
      sentence:
        'A response is cancelled when a wait of one second ends: its message stays in progress forever, and the chat is free.',
      idle: { assistant: neverOutlastsWait, ...firstAnswerRepeated },
      alter: (rules) => ({
        assistantMs: (text, request) => {
          const ms = rules.assistantMs(text, request);
          return request.query.get('wait')?.[0] === '1' && ms > 1000 ? Number.POSITIVE_INFINITY : ms;
        },
        busy: (exchange, now, request) =>
          exchange.finishesAt === Number.POSITIVE_INFINITY
            ? now < exchange.acceptedAt + 1000
            : rules.busy(exchange, now, request),
      }),
    },
  },
  'conflict.ends': {
    'chat-locked-when-client-leaves': {
      sentence: 'The lock of a chat is released with the answer, so it stays if the client disconnects before.',
      idle: withoutLostAnswers,
      alter: (rules) => {
        const left = new Set<string>();
        return {
          onClientLeft: ({ userId }) => void left.add(userId),
          busy: (exchange, now, request) => left.has(exchange.userId) || rules.busy(exchange, now, request),
        };
      },
    },
    'response-stops-when-client-leaves': {
      sentence: 'A response stops when its client disconnects, and its message stays in progress forever.',
      idle: withoutLostAnswers,
      alter: () => ({
        onClientLeft: (exchange) => {
          exchange.finishesAt = Number.POSITIVE_INFINITY;
        },
      }),
    },
    'idle-chat-now-and-then-busy': {
      sentence: 'One of five messages reaches a node that learns of the end of a response a minute late.',
      idle: withoutParents,
      alter: () => ({
        busy: ({ finishesAt }, now, { turn }) => now < finishesAt + (turn % 5 === 0 ? 60_000 : 0),
      }),
    },
    'lease-lingers-without-wait': {
      sentence:
        'The lease of a chat is released by the request that waits; without wait, it holds for several seconds after a response.',
      idle: { ...withoutParents, ...firstAnswerRepeated },
      alter: () => {
        const held = new Set<string>();
        return {
          onAccepted: ({ userId }, request) => {
            if (hasWait(request)) held.add(userId);
          },
          busy: ({ userId, finishesAt }, now) => now < finishesAt + (held.has(userId) ? 0 : lingersMs),
        };
      },
    },
    'response-dies-of-apostrophe': {
      sentence:
        'The response to a message with an apostrophe ends in an error that is not handled, so it stays in progress.',
      alter: diesOf("'"),
    },
    'response-dies-of-emoji': {
      sentence:
        'The response to a message with an emoji ends in an error that is not handled, so it stays in progress.',
      alter: diesOf('🙂'),
    },
    'chat-locked-when-response-fails': {
      sentence: 'A response to a long message fails, and the lock of its chat is never released.',
      alter: (rules) => ({
        busy: (exchange, now, request) => isFailed(exchange) || rules.busy(exchange, now, request),
        assistantMessageShown: (message, _request, exchange, finished) =>
          isFailed(exchange) && finished ? { ...message, status: 'failed', text: '' } : message,
      }),
    },
  },
});
