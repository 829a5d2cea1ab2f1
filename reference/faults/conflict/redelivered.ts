import type { Chat, Exchange } from '../../state/state.ts';
import type { Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { firstAnswerRepeated } from '../shared/idle.ts';
import { keyOf } from '../shared/requests.ts';

/** Choices of the assistant under which each further try adds more to a queue than ends meanwhile, so that chats stay busy. */
const whereQueuesGrow = [
  'seconds',
  'minutes',
  'always-1-s',
  'always-1200-ms',
  'always-2-s',
  'always-6-s',
  'always-40-s',
] as const;

/** How long a worker takes to begin a response, in milliseconds. */
const workerStartsMs = 50;

/** A message ends the running responses in other chats of its organization. They are never finished, although their chats become idle. */
const losesOthers: Fault['alter'] = (rules) => {
  const idleAt = new WeakMap<Exchange, number>();
  let all: () => readonly Chat[] = () => [];
  return {
    rivals: (chats, _request, everyChat) => {
      all = everyChat;
      return chats;
    },
    onAccepted: ({ chatId, organizationId, acceptedAt }) => {
      const others = all().filter((chat) => chat.organizationId === organizationId && chat.id !== chatId);
      for (const exchange of others.flatMap(({ exchanges }) => exchanges)) {
        const hasBegun = acceptedAt - exchange.acceptedAt >= workerStartsMs;
        if (!hasBegun || exchange.finishesAt <= acceptedAt || idleAt.has(exchange)) continue;
        idleAt.set(exchange, exchange.finishesAt);
        exchange.finishesAt = Number.POSITIVE_INFINITY;
      }
    },
    busy: (exchange, now, request) => {
      const at = idleAt.get(exchange);
      return at === undefined ? rules.busy(exchange, now, request) : now < at;
    },
  };
};

/** Jobs and transactions of a response that are carried out twice, only in part, or although they must not be. */
export const redeliveredFaults = faultsOf({
  'conflict.refused': {
    'response-lost-beside-another': {
      sentence:
        'A worker drops its response for a message to another chat of the organization: it is never finished, although its chat becomes idle.',
      // Then no repetition shows that the response is never finished.
      idle: firstAnswerRepeated,
      alter: losesOthers,
    },
  },
  'conflict.ends': {
    'response-delivered-again': {
      sentence: 'The job of a response is delivered twice, so the chat is busy again one second after its response.',
      alter: (rules) => ({
        busy: (exchange, now, request) =>
          rules.busy(exchange, now, request) || (now >= exchange.finishesAt + 1000 && now < exchange.finishesAt + 3000),
      }),
    },
    'chat-busy-until-next-second': {
      sentence: 'The end of a response is stored in whole seconds and rounded up to the next four.',
      alter: (rules) => ({
        busy: (exchange, now, request) =>
          rules.busy(exchange, now, request) || now < Math.ceil(exchange.finishesAt / 4000) * 4000,
      }),
    },
  },
  'idempotency.after': {
    'key-stored-in-second-transaction': {
      sentence: 'A message and its key are stored in two transactions; one time in twelve the second one fails.',
      alter: () => {
        const lost = new WeakSet<Exchange>();
        const seen = new WeakSet<Exchange>();
        let count = 0;
        return {
          keyKnown: (isKnown, _request, exchange) => {
            if (!seen.has(exchange)) {
              seen.add(exchange);
              count += 1;
              if (count % 12 === 0) lost.add(exchange);
            }
            return isKnown && !lost.has(exchange);
          },
        };
      },
    },
  },
  'conflict.no-trace': {
    'conflict-queued-until-idle': {
      sentence:
        'A worker queues a message refused with 409, unless one is queued already, and sends it when it sees the chat idle.',
      idle: { assistant: whereQueuesGrow },
      alter: () => {
        const queued = new Set<string>();
        return {
          refusedMessage: (_fate, { ids }, kind) => {
            if (kind !== 'conflict' || queued.has(ids.chatId)) return 'nothing';
            queued.add(ids.chatId);
            return 'answered-in-turn';
          },
          onAccepted: ({ chatId }) => void queued.delete(chatId),
        };
      },
    },
    'conflict-takes-the-key': {
      sentence: 'The key of a message refused with 409 is stored with the latest finished message of its chat.',
      idle: { 'replay-of-other-text': ['422', '409'] },
      alter: (rules) => {
        const latest = new Map<string, string>();
        const taken = new Map<string, string>();
        return {
          key: (key) => (key === undefined ? undefined : (taken.get(key) ?? key)),
          onAccepted: ({ chatId }, request) => void latest.set(chatId, keyOf(request, rules) ?? ''),
          onRefused: (why, request) => {
            const own = latest.get(request.ids.chatId);
            if (why.kind === 'conflict' && own !== undefined) taken.set(keyOf(request, rules) ?? '', own);
          },
        };
      },
    },
  },
});
