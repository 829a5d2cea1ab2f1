import type { Request } from '../../http/request.ts';
import type { Exchange } from '../../state/state.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { firstAnswerRepeated, neverOutlastsWait, withoutParents } from '../shared/idle.ts';
import { keyOf } from '../shared/requests.ts';

/** Choices under which no request is held, or no response outlasts its client. */
const withoutLostAnswers = { assistant: neverOutlastsWait, 'client-gone': ['response-ends', 'withdrawn'] };

/** How long after a message the server notices that its client left, in milliseconds. */
const noticedAfterMs = 700;

/** Section 4.2: a client that goes away before its message is answered, and sends it again. */
export const lostAnswerFaults = faultsOf({
  'idempotency.no-duplicate': {
    'key-kept-with-answer': {
      sentence:
        'A key is stored when the answer is sent, so a client that disconnects and retries sends its message twice.',
      idle: { ...withoutLostAnswers, ...withoutParents },
      alter: () => {
        const unwritten = new WeakSet<Exchange>();
        return {
          onClientLeft: (exchange) => void unwritten.add(exchange),
          keyKnown: (isKnown, _request, exchange) => isKnown && !unwritten.has(exchange),
        };
      },
    },
    'key-forgotten-after-client': {
      sentence: 'A server notices after a moment that a client disconnected, and then forgets the key of its message.',
      idle: { ...withoutLostAnswers, ...withoutParents },
      alter: () => {
        const left = new WeakSet<Exchange>();
        return {
          onClientLeft: (exchange) => void left.add(exchange),
          keyKnown: (isKnown, { at }, exchange) =>
            isKnown && !(left.has(exchange) && at > exchange.acceptedAt + noticedAfterMs),
        };
      },
    },
    'key-in-progress-for-good': {
      sentence: 'A key is in progress until its answer is sent, so a client that disconnects is refused forever.',
      idle: withoutLostAnswers,
      alter: (rules) => {
        const inProgress = new Set<string | undefined>();
        return {
          onClientLeft: (_exchange, request) => void inProgress.add(keyOf(request, rules)),
          keyKnown: (isKnown, request) => isKnown && !inProgress.has(keyOf(request, rules)),
          busy: (exchange, now, request) => inProgress.has(keyOf(request, rules)) || rules.busy(exchange, now, request),
        };
      },
    },
    'lost-answer-kept-as-error': {
      sentence:
        'Where a client disconnects, writing the answer fails, and every repetition of the key gets that error.',
      idle: withoutLostAnswers,
      alter: (rules) => {
        const failed = new Set<string>();
        const isFailed = (request: Request): boolean => failed.has(keyOf(request, rules) ?? '');
        return {
          onClientLeft: (_exchange, request) => void failed.add(keyOf(request, rules) ?? 'none'),
          status: (status, request) => (isFailed(request) ? 500 : status),
          bodyText: (text, request) =>
            isFailed(request) ? '{"error":{"title":"Internal","detail":"The connection was closed."}}' : text,
        };
      },
    },
  },
  'conflict.refused': {
    'chat-freed-with-client': {
      sentence: 'The lock of a chat is released when its client disconnects, while the response is still generating.',
      idle: { ...withoutLostAnswers, ...withoutParents, ...firstAnswerRepeated },
      alter: (rules) => {
        const freed = new WeakSet<Exchange>();
        return {
          onClientLeft: (exchange) => void freed.add(exchange),
          busy: (exchange, now, request) => !freed.has(exchange) && rules.busy(exchange, now, request),
        };
      },
    },
    'chat-freed-after-client': {
      sentence:
        'A server notices after a moment that a client disconnected, and then releases the lock of the chat, while the response is still generating.',
      idle: { ...withoutLostAnswers, ...withoutParents, ...firstAnswerRepeated },
      alter: (rules) => {
        const left = new WeakSet<Exchange>();
        return {
          onClientLeft: (exchange) => void left.add(exchange),
          busy: (exchange, now, request) =>
            !(left.has(exchange) && now > exchange.acceptedAt + noticedAfterMs) && rules.busy(exchange, now, request),
        };
      },
    },
  },
});
