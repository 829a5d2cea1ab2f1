import type { Exchange } from '../../state/state.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { keyOf } from '../shared/requests.ts';

/** Jobs and transactions of a response that are carried out twice, or only in part. */
export const redeliveredFaults = faultsOf({
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
