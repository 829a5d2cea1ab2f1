import type { Exchange } from '../../state/state.ts';
import type { Altered } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { firstAnswerRepeated, neverOutlastsWait, withoutParents } from '../shared/idle.ts';
import { hasWait, keyOf } from '../shared/requests.ts';

/** Repeated requests show the current state. */
const currentReplays: Altered = { replayForm: () => 'current' };

export const idempotencyFaults = faultsOf({
  'idempotency.while-generating': {
    'key-ignored': {
      sentence: 'The idempotency key is ignored.',
      alter: () => ({ keyKnown: () => false }),
    },
    'key-known-when-finished': {
      sentence: 'A key is stored with the finished response, so a repetition before that is answered 409.',
      idle: { assistant: ['at-once', 'slow-is-quick'] },
      alter: () => ({ keyKnown: (_isKnown, _request, _exchange, finished) => finished }),
    },
    'key-stored-with-first-answer': {
      sentence: 'A key is stored when its request is answered, so a repetition while that one is held is answered 409.',
      idle: { assistant: ['at-once'] },
      alter: () => ({
        keyKnown: (isKnown, _request, { first }, finished) => isKnown && (finished || first !== undefined),
      }),
    },
    'key-lost-when-wait-ends': {
      sentence: 'A key is not stored if the seconds of wait end before the response is finished.',
      idle: { assistant: neverOutlastsWait },
      alter: () => {
        const lost = new WeakSet<Exchange>();
        return {
          assistantMessageShown: (message, request, exchange, finished) => {
            if (!finished && hasWait(request)) lost.add(exchange);
            return message;
          },
          keyKnown: (isKnown, _request, exchange) => isKnown && !lost.has(exchange),
        };
      },
    },
  },
  'idempotency.after': {
    'key-forgotten-when-finished': {
      sentence: 'A key is used as a lock and deleted when the response is finished.',
      alter: () => ({ keyKnown: (_isKnown, _request, _exchange, finished) => !finished }),
    },
    'key-now-and-then-unknown': {
      sentence: 'One request in twelve looks up its key in a stale replica, and does not find it.',
      alter: () => ({ keyKnown: (isKnown, { turn }) => isKnown && turn % 12 !== 0 }),
    },
    'replay-with-new-ids': {
      sentence: 'Repeating a finished request returns the same texts with a new ID for the assistant message.',
      alter: () => ({
        ...currentReplays,
        assistantMessageShown: (message, { at, turn }, { assistantId, finishesAt }) =>
          at > finishesAt ? { ...message, id: `${assistantId}-${turn}` } : message,
      }),
    },
    'finished-with-another-id': {
      sentence: 'A response in progress has the ID of its draft, and gets another ID when it is finished.',
      idle: { assistant: ['at-once'], ...firstAnswerRepeated },
      alter: () => ({
        assistantMessageShown: (message, _request, { assistantId }, finished) =>
          finished ? { ...message, id: `${assistantId}-1` } : message,
      }),
    },
    'finished-text-made-again': {
      sentence: 'The text of a finished response is not stored: each repeated request asks the language model again.',
      alter: () => ({
        ...currentReplays,
        assistantMessageShown: (message, { turn }, _exchange, finished) =>
          finished ? { ...message, text: `${String(message['text'])} (${turn})` } : message,
      }),
    },
  },
  'idempotency.later': {
    'old-text-cleared': {
      sentence: 'A job that saves space clears the text of a response five seconds after its end.',
      alter: () => ({
        ...currentReplays,
        assistantMessageShown: (message, { at }, { finishesAt }) =>
          at > finishesAt + 5000 ? { ...message, text: '' } : message,
      }),
    },
    'only-last-key-kept': {
      sentence: 'A chat remembers only its last key.',
      alter: () => ({ keyKnown: (_isKnown, _request, _exchange, _finished, later) => later === 0 }),
    },
    'replay-shows-latest': {
      sentence: 'Repeating an earlier request returns the ID of the latest user message of the chat.',
      alter: () => {
        const latest = new Map<string, string>();
        return {
          ...currentReplays,
          onAccepted: ({ chatId, userId }) => void latest.set(chatId, userId),
          userMessageShown: (message, _request, { chatId, userId }) => ({
            ...message,
            id: latest.get(chatId) ?? userId,
          }),
        };
      },
    },
  },
  'idempotency.no-duplicate': {
    'repetition-unlocks-the-chat': {
      sentence: 'Every request with a key releases the lock of its chat when it ends, even a repeated one.',
      idle: firstAnswerRepeated,
      alter: (rules) => {
        const unlocked = new Set<Exchange>();
        return {
          onRepeated: (exchange) => void unlocked.add(exchange),
          busy: (exchange, now, request) => !unlocked.has(exchange) && rules.busy(exchange, now, request),
        };
      },
    },
    'replay-starts-again': {
      sentence: 'A repeated request returns the original messages but sends its message again.',
      idle: { assistant: ['at-once'] },
      alter: () => ({ startsAgain: () => true }),
    },
    'replay-starts-again-when-finished': {
      sentence: 'Repeating a finished request starts another response.',
      idle: { assistant: ['at-once'] },
      alter: () => ({ startsAgain: (_starts, { at }, { finishesAt }) => at > finishesAt }),
    },
    'replay-answers-anew': {
      sentence: 'Repeating a finished request generates its response again, and wait holds the request for that.',
      alter: (rules) => {
        const anewMs = 1500;
        const until = new Map<Exchange, number>();
        const repetitions = new Set<number>();
        return {
          onRepeated: (exchange, { at, turn }) => {
            if (at <= exchange.finishesAt) return;
            until.set(exchange, at + anewMs);
            repetitions.add(turn);
          },
          heldMs: (wait, remainingMs, request) =>
            rules.heldMs(wait, repetitions.has(request.turn) ? anewMs : remainingMs, request),
          busy: (exchange, now, request) => now < (until.get(exchange) ?? 0) || rules.busy(exchange, now, request),
        };
      },
    },
    'old-repetition-leads-on': {
      sentence: 'The message that was repeated last becomes the parent of the next message, however old it is.',
      idle: withoutParents,
      alter: (rules) => {
        const latest = new Map<string, Exchange>();
        return {
          onRepeated: (exchange) => void latest.set(exchange.chatId, exchange),
          parentOfUser: (previous, request) => {
            const repeated = latest.get(request.ids.chatId);
            latest.delete(request.ids.chatId);
            return repeated === undefined ? rules.parentOfUser(previous, request) : repeated.assistantId;
          },
        };
      },
    },
    'repetition-stored-again': {
      sentence: 'A repeated request returns the original messages but stores its message again, without an answer.',
      idle: withoutParents,
      alter: (rules) => {
        const repetitions = new Set<number>();
        return {
          onRepeated: (_exchange, { turn }) => void repetitions.add(turn),
          startsAgain: () => true,
          assistantMs: (text, request) => (repetitions.has(request.turn) ? 0 : rules.assistantMs(text, request)),
        };
      },
    },
  },
  'idempotency.parallel': {
    'key-read-then-written': {
      sentence: 'There is a gap of 20 ms between looking up a key and storing it, so parallel requests miss it.',
      alter: (rules) => ({ pauseMs: (ms, request) => (keyOf(request, rules) === undefined ? ms : ms + 20) }),
    },
    'twins-break-a-unique-index': {
      sentence:
        'A key is looked up and then inserted: of parallel requests, all but one fail with a database exception.',
      idle: firstAnswerRepeated,
      alter: (rules) => {
        const twins = new Set<number>();
        return {
          keyKnown: (isKnown, { at, turn }, { acceptedAt }) => {
            if (at - acceptedAt < 20) twins.add(turn);
            return isKnown;
          },
          messageAnswerStatus: (finished, request) =>
            twins.has(request.turn) ? 500 : rules.messageAnswerStatus(finished, request),
        };
      },
    },
    'second-of-twins-fails': {
      sentence: 'Of parallel requests with one key, the first one that finds the key fails with an exception.',
      idle: firstAnswerRepeated,
      alter: (rules) => {
        const met = new WeakSet<Exchange>();
        const failing = new Set<number>();
        return {
          keyKnown: (isKnown, { at, turn }, exchange) => {
            if (at <= exchange.acceptedAt && !met.has(exchange)) failing.add(turn);
            met.add(exchange);
            return isKnown;
          },
          messageAnswerStatus: (finished, request) =>
            failing.has(request.turn) ? 500 : rules.messageAnswerStatus(finished, request),
        };
      },
    },
    'key-per-process': {
      sentence: 'Each of three processes knows only the keys that it has received itself.',
      alter: (rules) => ({
        keyScope: (caller, chatId, key, request) =>
          `${request.turn % 3} ${rules.keyScope(caller, chatId, key, request)}`,
      }),
    },
  },
});
