import type { Request } from '../../http/request.ts';
import type { Exchange } from '../../state/state.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { firstAnswerRepeated, withoutParents } from '../shared/idle.ts';
import { keyOf } from '../shared/requests.ts';

/** Choices of the assistant under which no response lasts for seconds and then ends. */
const withoutSeconds = { assistant: ['at-once', 'slow-is-quick', 'minutes', 'moody'] } as const;

/** Section 3: what a message that was refused with 409 leaves behind. */
export const conflictTraceFaults = faultsOf({
  'conflict.no-trace': {
    'conflict-queued': {
      sentence:
        'A message refused with 409 is queued and answered after the running response, unless one is queued already.',
      alter: (rules) => {
        const queuedUntil = new Map<string, number>();
        let asked = 0;
        let isQueued = false;
        return {
          busy: (exchange, now, request) => {
            asked = now;
            return rules.busy(exchange, now, request);
          },
          refusedMessage: (_fate, { ids }, kind) => {
            isQueued = kind === 'conflict' && asked >= (queuedUntil.get(ids.chatId) ?? 0);
            return isQueued ? 'answered-later' : 'nothing';
          },
          onAccepted: ({ chatId, finishesAt }) => {
            if (isQueued) queuedUntil.set(chatId, finishesAt);
            isQueued = false;
          },
        };
      },
    },
    'conflict-stored': {
      sentence: 'A message refused with 409 is stored and becomes the parent of the next message.',
      idle: withoutParents,
      alter: () => ({ refusedMessage: (_fate, _request, kind) => (kind === 'conflict' ? 'stored' : 'nothing') }),
    },
    'conflict-replaces-text': {
      sentence: 'The text of a message refused with 409 replaces the text of the message being answered.',
      idle: { 'message-fields': ['few'], ...withoutSeconds },
      alter: () => {
        const latest = new Map<string, string>();
        const instead = new WeakMap<object, string>();
        return {
          messageText: (text, { ids }) => {
            latest.set(ids.chatId, text);
            return text;
          },
          disturbedEnd: (finishesAt, { ids }, exchange) => {
            instead.set(exchange, latest.get(ids.chatId) ?? '');
            return finishesAt;
          },
          userMessageShown: (message, _request, exchange) => ({
            ...message,
            text: instead.get(exchange) ?? exchange.text,
          }),
        };
      },
    },
    'conflict-key-joins': {
      sentence: 'The key of a message refused with 409 is stored with the message being answered.',
      idle: { 'replay-of-other-text': ['422', '409'], ...withoutSeconds },
      alter: (rules) => {
        const running = new Map<string, string>();
        const joined = new Map<string, string>();
        return {
          key: (key) => (key === undefined ? undefined : (joined.get(key) ?? key)),
          onAccepted: ({ chatId }, request) => void running.set(chatId, keyOf(request, rules) ?? ''),
          disturbedEnd: (finishesAt, request) => {
            joined.set(keyOf(request, rules) ?? '', running.get(request.ids.chatId) ?? '');
            return finishesAt;
          },
        };
      },
    },
    'conflict-cancels': {
      sentence: 'A message refused with 409 still cancels the running response.',
      alter: () => ({ disturbedEnd: (_finishesAt, _request, _exchange, now) => now, lookAgainMs: () => 50 }),
    },
    'conflict-with-wait-cancels': {
      sentence: 'A message with wait that is refused with 409 cancels the running response.',
      alter: () => ({
        disturbedEnd: (finishesAt, { query }, _exchange, now) => (query.has('wait') ? now : finishesAt),
        lookAgainMs: () => 50,
      }),
    },
    'conflict-cancels-unheard': {
      sentence:
        'A message refused with 409 ends the running response, but the request that waits for it keeps waiting.',
      idle: withoutSeconds,
      alter: () => ({ disturbedEnd: (_finishesAt, _request, _exchange, now) => now }),
    },
    'conflict-prolongs': {
      sentence: 'A message refused with 409 prolongs the running response by half a second.',
      idle: withoutSeconds,
      alter: () => ({ disturbedEnd: (finishesAt) => finishesAt + 500, lookAgainMs: () => 50 }),
    },
    'first-conflict-prolongs': {
      sentence: 'The first message refused with 409 prolongs the running response by three seconds.',
      idle: withoutSeconds,
      alter: () => {
        const prolonged = new WeakSet<Exchange>();
        return {
          disturbedEnd: (finishesAt, _request, exchange) => {
            if (prolonged.has(exchange)) return finishesAt;
            prolonged.add(exchange);
            return finishesAt + 3000;
          },
          lookAgainMs: () => 50,
        };
      },
    },
    'conflict-with-wait-queued': {
      sentence: 'A message with wait that is refused with 409 is queued and answered after the running response.',
      alter: () => ({
        refusedMessage: (_fate, { query }, kind) =>
          kind === 'conflict' && query.has('wait') ? 'answered-later' : 'nothing',
      }),
    },
    'conflict-without-key-queued': {
      sentence: 'A message without a key that is refused with 409 is queued and answered after the running response.',
      idle: { 'key-required': ['yes'] },
      alter: (rules) => ({
        refusedMessage: (_fate, request, kind) =>
          kind === 'conflict' && keyOf(request, rules) === undefined ? 'answered-later' : 'nothing',
      }),
    },
    'conflict-text-comes-next': {
      sentence:
        'The text of a message refused with 409 stays in the draft of its chat, and the next message is sent with it.',
      idle: { 'message-fields': ['few'] },
      alter: () => {
        const latest = new Map<string, string>();
        const draft = new Map<string, string>();
        return {
          messageText: (text, { ids }) => {
            latest.set(ids.chatId, text);
            return draft.get(ids.chatId) ?? text;
          },
          onRefused: ({ kind }, { ids }) => {
            if (kind === 'conflict') draft.set(ids.chatId, latest.get(ids.chatId) ?? '');
          },
          onAccepted: (_message, { ids }) => void draft.delete(ids.chatId),
        };
      },
    },
    'conflict-names-chat': {
      sentence: 'A chat is named after a message before it is known that the chat is busy.',
      idle: { 'message-fields': ['few'] },
      alter: () => {
        const latest = new Map<string, string>();
        const names = new Map<string, string>();
        return {
          messageText: (text, { ids }) => {
            latest.set(ids.chatId, text);
            return text;
          },
          onRefused: ({ kind }, { ids }) => {
            if (kind === 'conflict') names.set(ids.chatId, latest.get(ids.chatId) ?? '');
          },
          chatShown: (chat, { ids }) => {
            const name = names.get(ids.chatId);
            return name === undefined ? chat : { ...chat, name };
          },
        };
      },
    },
    'conflict-starts-over': {
      sentence: 'A message refused with 409 restarts the running response.',
      idle: withoutSeconds,
      alter: () => {
        const takesMs = new WeakMap<Exchange, number>();
        return {
          disturbedEnd: (finishesAt, _request, exchange, now) => {
            const ms = takesMs.get(exchange) ?? finishesAt - exchange.acceptedAt;
            takesMs.set(exchange, ms);
            return now + ms;
          },
          lookAgainMs: () => 50,
        };
      },
    },
    'held-message-sent-twice': {
      sentence:
        'A gateway that gets no answer for 0.8 seconds sends a message again, and its client gets the 409 of the second one.',
      idle: { ...withoutSeconds, ...firstAnswerRepeated, 'message-fields': ['few'] },
      alter: (rules) => {
        const repeated = new WeakSet<Request>();
        const refused = new WeakSet<Request>();
        const isRefused = (request: Request) => refused.has(request);
        return {
          onRepeated: (_exchange, request) => void repeated.add(request),
          heldMs: (wait, remainingMs, request) => {
            const ms = rules.heldMs(wait, remainingMs, request);
            if (ms <= 800 || repeated.has(request)) return ms;
            refused.add(request);
            return 800;
          },
          status: (status, request) => (isRefused(request) ? 409 : status),
          bodyText: (text, request) =>
            isRefused(request) ? JSON.stringify({ error: { title: 'Conflict', detail: 'The chat is busy.' } }) : text,
        };
      },
    },
  },
  'wait.holds': {
    'wait-ended-by-conflict': {
      sentence: 'A message refused with 409 wakes the request that waits in the chat, which is then answered 202.',
      idle: withoutSeconds,
      alter: (rules) => {
        const woken = new Set<string>();
        return {
          onAccepted: (_message, { ids }) => void woken.delete(ids.chatId),
          disturbedEnd: (finishesAt, { ids }) => {
            woken.add(ids.chatId);
            return finishesAt + 1;
          },
          lookAgainMs: () => 50,
          heldMs: (wait, remainingMs, request) =>
            woken.has(request.ids.chatId) ? 0 : rules.heldMs(wait, remainingMs, request),
        };
      },
    },
  },
});
