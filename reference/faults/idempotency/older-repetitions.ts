import type { Request } from '../../http/request.ts';
import type { Exchange, Message } from '../../state/state.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { firstAnswerRepeated, withoutParents } from '../shared/idle.ts';

/** Choices of the assistant under which no response is seen generating. */
const withoutGenerating = { assistant: ['at-once', 'slow-is-quick', 'slow-is-half-a-second'] } as const;

/** Choices of the assistant under which a response is not generating soon after the one before it. */
const withoutSlowness = [...withoutGenerating.assistant, 'always-1200-ms', 'always-6-s', 'seconds', 'minutes'];

/** The latest message of each chat, as long as its response is generating. */
function createRunning() {
  const latest = new Map<string, Message>();
  return {
    onAccepted: (message: Message) => void latest.set(message.chatId, message),
    /** The message that is newer than the exchange and generating. */
    newerThan: ({ chatId, userId }: Exchange, { at }: Request): Message | undefined => {
      const message = latest.get(chatId);
      return message !== undefined && message.userId !== userId && at < message.finishesAt ? message : undefined;
    },
  };
}

/** A request that repeats an older message while the response to a newer one is generating. */
export const olderRepetitionFaults = faultsOf({
  'idempotency.later': {
    'older-key-in-busy-chat': {
      sentence: 'A busy chat answers every request with 409 unless it repeats the message that is being answered.',
      idle: withoutGenerating,
      alter: () => {
        const { onAccepted, newerThan } = createRunning();
        return {
          onAccepted,
          keyKnown: (isKnown, request, exchange) => isKnown && newerThan(exchange, request) === undefined,
        };
      },
    },
    'older-key-shows-the-running': {
      sentence: 'A repeated request to a busy chat returns the message that is being answered.',
      idle: { ...withoutGenerating, ...firstAnswerRepeated },
      alter: () => {
        const { onAccepted, newerThan } = createRunning();
        return {
          onAccepted,
          userMessageShown: (message, request, exchange) => ({
            ...message,
            id: newerThan(exchange, request)?.userId ?? exchange.userId,
          }),
        };
      },
    },
    'older-key-in-progress': {
      sentence: 'A repeated request to a busy chat is answered 202, although its own response is finished.',
      idle: { ...withoutGenerating, ...firstAnswerRepeated },
      alter: (rules) => {
        const { onAccepted, newerThan } = createRunning();
        const early = new Set<number>();
        return {
          onAccepted,
          onRepeated: (exchange, request) => {
            if (newerThan(exchange, request) !== undefined) early.add(request.turn);
          },
          messageAnswerStatus: (finished, request) =>
            early.has(request.turn) ? 202 : rules.messageAnswerStatus(finished, request),
        };
      },
    },
  },
  'idempotency.no-duplicate': {
    'older-repetition-unlocks-the-chat': {
      sentence: 'Repeating an older request releases the lock of its chat while a newer response is generating.',
      idle: { ...withoutGenerating, ...firstAnswerRepeated },
      alter: (rules) => {
        const { onAccepted, newerThan } = createRunning();
        const unlocked = new Set<string>();
        return {
          onAccepted,
          onRepeated: (exchange, request) => {
            const running = newerThan(exchange, request);
            if (running !== undefined) unlocked.add(running.userId);
          },
          busy: (exchange, now, request) => !unlocked.has(exchange.userId) && rules.busy(exchange, now, request),
        };
      },
    },
    'older-repetition-starts-again': {
      sentence: 'Repeating an older request while a newer response is generating stores its message again.',
      idle: { assistant: withoutSlowness, ...withoutParents },
      alter: () => {
        const { onAccepted, newerThan } = createRunning();
        return {
          onAccepted,
          startsAgain: (starts, request, exchange) => starts || newerThan(exchange, request) !== undefined,
        };
      },
    },
  },
});
