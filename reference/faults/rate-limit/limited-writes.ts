import { carriedOut, together } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { buckets, withoutParents } from '../shared/idle.ts';
import { isRealMessage, keyOf, on } from '../shared/requests.ts';

/** What becomes of writes that the limit refuses. */
export const limitedWriteFaults = faultsOf({
  'rate.no-effect': {
    'limited-requests-act': {
      sentence: 'The rate limit applies only to the answer, so a refused request is still carried out.',
      alter: carriedOut('rateLimited'),
    },
    'limited-key-stays-limited': {
      sentence: 'A 429 is stored under the idempotency key, so repetitions are refused after the window too.',
      // Where a run meets limits often, every message is refused for good.
      idle: {
        ...withoutParents,
        'rate-quota': ['20-in-1s', '100-in-5s', '200-in-30s', 'none'],
        'rate-window': buckets,
      },
      alter: (rules) => {
        const limited = new Set<string>();
        return {
          onRefused: ({ kind }, request) => {
            const key = keyOf(request, rules);
            if (kind === 'rateLimited' && key !== undefined) limited.add(key);
          },
          rateExceeded: (window, quota, request) =>
            limited.has(keyOf(request, rules) ?? '') || rules.rateExceeded(window, quota, request),
        };
      },
    },
    'limited-message-late': {
      sentence: 'A message over the rate limit stays in a queue, and is stored two seconds later.',
      idle: withoutParents,
      alter: (rules) => {
        const queued = new Map<string, number>();
        return {
          onRefused: ({ kind }, request) => {
            const { chatId } = request.ids;
            const isFirst = kind === 'rateLimited' && isRealMessage(request) && !queued.has(chatId);
            if (isFirst) queued.set(chatId, request.at + 2000);
          },
          parentOfUser: (previous, request) => {
            const { chatId } = request.ids;
            const parent = rules.parentOfUser(previous, request);
            const isStored = (queued.get(chatId) ?? Number.POSITIVE_INFINITY) <= request.at;
            if (isStored) queued.delete(chatId);
            return isStored && parent !== undefined ? `${parent}-late` : parent;
          },
        };
      },
    },
    'limited-messages-act': {
      sentence: 'A message over the rate limit is refused but still answered by the assistant.',
      alter: carriedOut('rateLimited', on('sendMessage')),
    },
    'limited-messages-act-if-valid': {
      sentence:
        'The quota of messages is looked at once a message is stored. So a refused one is answered by the assistant, and an invalid one is not refused as limited.',
      alter: together(carriedOut('rateLimited', on('sendMessage')), (rules) => ({
        rateExceeded: (window, quota, request) =>
          (!on('sendMessage')(request) || isRealMessage(request)) && rules.rateExceeded(window, quota, request),
      })),
    },
  },
});
