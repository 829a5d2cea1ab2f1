import type { Exchange } from '../../state/state.ts';
import type { Fault } from '../../variation.ts';

/** Where nothing is held, or no response outlasts its client, or no message names its parent, none of these shows. */
const idleWithout = {
  assistant: ['at-once', 'slow-is-quick', 'slow-is-half-a-second', 'moody'],
  'client-gone': ['response-ends', 'withdrawn'],
};
const idleUnseen = { ...idleWithout, parent: ['never'], 'message-fields': ['few'] };

/** Section 4.2: a client that goes away before its message is answered, and sends it again. */
export const lostAnswerFaults: readonly Fault[] = [
  {
    name: 'key-kept-with-answer',
    breaks: 'idempotency.no-duplicate',
    sentence: 'A key is written down when the answer goes out: who went away before that and tries again sends twice.',
    idle: idleUnseen,
    alter: (rules) => {
      const unwritten = new WeakSet<Exchange>();
      return {
        whenClientLeaves: (exchange, request) => {
          unwritten.add(exchange);
          return rules.whenClientLeaves(exchange, request);
        },
        keyRemembered: (exchange, finished, later, request) =>
          !unwritten.has(exchange) && rules.keyRemembered(exchange, finished, later, request),
      };
    },
  },
  {
    name: 'key-in-progress-for-good',
    breaks: 'idempotency.no-duplicate',
    sentence: 'A key counts as in progress until its answer is sent: who went away before that is refused ever after.',
    idle: idleWithout,
    alter: (rules) => {
      const inProgress = new Set<string | undefined>();
      const keyOf = (headers: Readonly<Record<string, string>>): string | undefined => headers[rules.keyHeader()];
      return {
        whenClientLeaves: (exchange, request) => {
          inProgress.add(keyOf(request.headers));
          return rules.whenClientLeaves(exchange, request);
        },
        keyRemembered: (exchange, finished, later, request) =>
          !inProgress.has(keyOf(request.headers)) && rules.keyRemembered(exchange, finished, later, request),
        busy: (exchange, now, request) => inProgress.has(keyOf(request.headers)) || rules.busy(exchange, now, request),
      };
    },
  },
  {
    name: 'chat-freed-with-client',
    breaks: 'conflict.refused',
    sentence: 'The lock of a chat is released when its client goes away, while the response goes on.',
    idle: { ...idleUnseen, 'replay-form': ['original'] },
    alter: (rules) => {
      const freed = new WeakSet<Exchange>();
      return {
        whenClientLeaves: (exchange, request) => {
          freed.add(exchange);
          return rules.whenClientLeaves(exchange, request);
        },
        busy: (exchange, now, request) => !freed.has(exchange) && rules.busy(exchange, now, request),
      };
    },
  },
];
