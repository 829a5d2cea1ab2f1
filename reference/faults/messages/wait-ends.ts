import type { Request } from '../../http/request.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { firstAnswerRepeated } from '../shared/idle.ts';
import { held, refusing, replacedByChoice } from './waiting.ts';

/** Whether a request with wait ends with its response. */
export const waitEndFaults = faultsOf({
  'wait.finishes': {
    'finished-is-waited-for': {
      sentence: 'A request with wait is held until an event even if the response is already finished.',
      idle: firstAnswerRepeated,
      alter: held((heldMs, { waitMs, remainingMs }) => (remainingMs === 0 ? waitMs : heldMs)),
    },
    'repetition-not-woken': {
      sentence:
        'Only the first request is notified when a response is finished: a repetition is held for its whole wait.',
      idle: { assistant: ['at-once', 'slow-is-quick', 'minutes', 'moody'] },
      alter: (rules) => {
        const repetitions = new WeakSet<Request>();
        return {
          keyKnown: (isKnown, request, _exchange, finished) => {
            if (isKnown && !finished) repetitions.add(request);
            return isKnown;
          },
          ...held((heldMs, { waitMs, request }) => (repetitions.has(request) ? waitMs : heldMs))(rules),
        };
      },
    },
    'wait-compared-as-text': {
      sentence: 'wait is compared with 300 as a text, so 4 to 9 and 31 to 99 are refused.',
      idle: replacedByChoice,
      alter: refusing((seconds) => String(seconds) > '300'),
    },
    'every-third-end-missed': {
      sentence:
        'Every third request is not notified when its response is finished: a wait of ten seconds or less ends with 202.',
      idle: firstAnswerRepeated,
      alter: (rules) => {
        let requests = 0;
        const missing = new WeakSet<Request>();
        return {
          ...held((heldMs, { waitMs, request }) => {
            requests += 1;
            if (requests % 3 > 0 || waitMs > 10_000) return heldMs;
            missing.add(request);
            return waitMs;
          })(rules),
          finished: (finishesAt, now, request) => !missing.has(request) && rules.finished(finishesAt, now, request),
        };
      },
    },
    'whole-wait-held': {
      sentence: 'A request is held for its whole wait even if the response is finished earlier.',
      alter: held((_heldMs, { waitMs }) => waitMs),
    },
    'short-wait-slept': {
      sentence: 'A request with a wait of five seconds or less sleeps for all of it, because polling costs more.',
      alter: held((heldMs, { waitMs }) => (waitMs <= 5000 ? waitMs : heldMs)),
    },
    'response-lasts-as-long-as-wait': {
      sentence: 'The assistant is polled only when the wait ends: until then the chat is busy.',
      alter: (rules) => ({
        assistantMs: (text, request) =>
          Math.max(rules.assistantMs(text, request), 1000 * Number(request.query.get('wait')?.[0] ?? 0)),
      }),
    },
    'finish-seen-late': {
      sentence: 'The assistant is polled only every five seconds.',
      idle: { assistant: ['at-once', 'seconds', 'moody'] },
      alter: held((_heldMs, { waitMs, remainingMs }) => Math.min(waitMs, Math.ceil(remainingMs / 5000) * 5000)),
    },
  },
});
