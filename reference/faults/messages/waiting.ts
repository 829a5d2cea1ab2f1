import type { Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';

export const waitingFaults: readonly Fault[] = [
  {
    name: 'always-held',
    breaks: 'messages.immediate',
    sentence: 'Without wait the request is held until the assistant finishes.',
    alter: () => ({ noWaitMs: (remainingMs) => remainingMs }),
  },
  {
    name: 'held-two-seconds',
    breaks: 'messages.immediate',
    sentence: 'Without wait the request is held for two seconds, a default that nobody documented.',
    alter: () => ({ noWaitMs: (remainingMs) => Math.min(2000, remainingMs) }),
  },
  {
    name: 'wait-ignored',
    breaks: 'wait.holds',
    sentence: 'wait is validated and then ignored.',
    alter: () => ({ heldMs: () => 0 }),
  },
  {
    name: 'wait-in-milliseconds',
    breaks: 'wait.holds',
    sentence: 'wait is taken for milliseconds.',
    alter: () => ({ waitMs: (seconds) => seconds }),
  },
  {
    name: 'wait-capped-by-proxy',
    breaks: 'wait.holds',
    sentence: 'A proxy answers for the service after one second.',
    alter: (rules) => ({
      heldMs: (waitMs, remainingMs, request) => Math.min(1000, rules.heldMs(waitMs, remainingMs, request)),
    }),
  },
  {
    name: 'wait-capped-in-between',
    breaks: 'wait.holds',
    sentence:
      'The service answers 202 after three and a half seconds at the latest, before its load balancer loses patience.',
    idle: { assistant: ['at-once', 'slow-is-quick', 'moody'] },
    alter: (rules) => ({
      heldMs: (waitMs, remainingMs, request) => rules.heldMs(Math.min(waitMs, 3500), remainingMs, request),
    }),
  },
  {
    name: 'held-request-cut-off',
    breaks: 'wait.holds',
    sentence: 'A proxy answers 504 once a request was held for three and a half seconds.',
    idle: { assistant: ['at-once', 'slow-is-quick', 'moody'] },
    alter: (rules) => {
      const cutMs = 3500;
      return {
        heldMs: (waitMs, remainingMs, request) => Math.min(cutMs, rules.heldMs(waitMs, remainingMs, request)),
        messageAnswerStatus: (finished, request) =>
          !finished && Number(request.query.get('wait')?.[0]) * 1000 > cutMs
            ? 504
            : rules.messageAnswerStatus(finished, request),
      };
    },
  },
  {
    name: 'one-wait-at-a-time',
    breaks: 'wait.ends',
    sentence: 'A single worker holds all requests with wait, one after another.',
    alter: (rules) => {
      let freeAt = 0;
      return {
        heldMs: (waitMs, remainingMs, request) => {
          freeAt = Math.max(request.at, freeAt) + rules.heldMs(waitMs, remainingMs, request);
          return freeAt - request.at;
        },
      };
    },
  },
  {
    name: 'held-until-finished',
    breaks: 'wait.ends',
    sentence: 'With wait the request is held until the assistant finishes, however long that takes.',
    alter: () => ({ heldMs: (_waitMs, remainingMs) => remainingMs }),
  },
  {
    name: 'wait-twice',
    breaks: 'wait.ends',
    sentence: 'The seconds of wait are counted once by the gateway and once by the service.',
    alter: () => ({ waitMs: (seconds) => 2000 * seconds }),
  },
  {
    name: 'finished-is-waited-for',
    breaks: 'wait.finishes',
    sentence: 'A held request waits for the event that the response ends with, also where that is over already.',
    idle: { 'replay-form': ['original'] },
    alter: (rules) => ({
      heldMs: (waitMs, remainingMs, request) =>
        remainingMs === 0 ? waitMs : rules.heldMs(waitMs, remainingMs, request),
    }),
  },
  {
    name: 'repetition-not-woken',
    breaks: 'wait.finishes',
    sentence:
      'Only the request that began a response hears of its end: a repetition of it is held until its seconds are over.',
    idle: { assistant: ['at-once', 'slow-is-quick', 'minutes', 'moody'] },
    alter: (rules) => {
      const repetitions = new WeakSet<Request>();
      return {
        keyRemembered: (exchange, finished, later, request) => {
          const remembered = rules.keyRemembered(exchange, finished, later, request);
          if (remembered && !finished) repetitions.add(request);
          return remembered;
        },
        heldMs: (waitMs, remainingMs, request) =>
          repetitions.has(request) ? waitMs : rules.heldMs(waitMs, remainingMs, request),
      };
    },
  },
  {
    name: 'whole-wait-held',
    breaks: 'wait.finishes',
    sentence: 'With wait the answer comes when the seconds are over, although the assistant finished long before.',
    alter: () => ({ heldMs: (waitMs) => waitMs }),
  },
  {
    name: 'response-lasts-as-long-as-wait',
    breaks: 'wait.finishes',
    sentence:
      'Only when the seconds of wait are over is the assistant asked whether it is done: until then the chat is busy.',
    alter: (rules) => ({
      assistantMs: (text, request) =>
        Math.max(rules.assistantMs(text, request), 1000 * Number(request.query.get('wait')?.[0] ?? 0)),
    }),
  },
  {
    name: 'finish-seen-late',
    breaks: 'wait.finishes',
    sentence: 'Whether the assistant finished is looked at every five seconds.',
    idle: { assistant: ['at-once', 'seconds', 'moody'] },
    alter: () => ({ heldMs: (waitMs, remainingMs) => Math.min(waitMs, Math.ceil(remainingMs / 5000) * 5000) }),
  },
  {
    name: 'wait-over-504',
    breaks: 'wait.ends',
    sentence: 'When the seconds of wait are over, a proxy answers 504 in place of the message in progress.',
    alter: (rules) => ({
      messageAnswerStatus: (finished, request) =>
        !finished && request.query.has('wait') ? 504 : rules.messageAnswerStatus(finished, request),
    }),
  },
  {
    name: 'slow-is-held-for-good',
    breaks: 'wait.ends',
    sentence: 'While the assistant is still working a request with wait is held and never answered.',
    alter: (rules) => ({
      heldMs: (waitMs, remainingMs, request) =>
        remainingMs > waitMs && waitMs > 0 ? 600_000 : rules.heldMs(waitMs, remainingMs, request),
    }),
  },
  {
    name: 'wait-one-refused',
    breaks: 'wait.minimum',
    sentence: 'wait=1 is refused.',
    alter: (rules) => ({ waitInRange: (seconds, request) => seconds !== 1 && rules.waitInRange(seconds, request) }),
  },
  {
    name: 'wait-from-five',
    breaks: 'wait.minimum',
    sentence: 'wait begins at five seconds, the interval of the poller.',
    alter: (rules) => ({ waitInRange: (seconds, request) => seconds >= 5 && rules.waitInRange(seconds, request) }),
  },
  {
    name: 'wait-300-refused',
    breaks: 'wait.maximum',
    sentence: 'wait=300 is refused, a < in place of a <=.',
    alter: (rules) => ({ waitInRange: (seconds, request) => seconds !== 300 && rules.waitInRange(seconds, request) }),
  },
  {
    name: 'wait-up-to-sixty',
    breaks: 'wait.maximum',
    sentence: 'wait ends at sixty seconds, the time-out of the load balancer.',
    alter: (rules) => ({ waitInRange: (seconds, request) => seconds <= 60 && rules.waitInRange(seconds, request) }),
  },
  {
    name: 'wait-above-sixty-ignored',
    breaks: 'wait.maximum',
    sentence: 'A wait of more than sixty seconds is accepted, and the answer comes at once.',
    idle: { assistant: ['at-once'] },
    alter: (rules) => ({
      heldMs: (waitMs, remainingMs, request) => (waitMs > 60_000 ? 0 : rules.heldMs(waitMs, remainingMs, request)),
    }),
  },
  {
    name: 'wait-clamped',
    breaks: 'wait.refused',
    sentence: 'A wait above 300 is taken for 300.',
    // Such a wait is then held until nobody listens any more.
    idle: { assistant: ['minutes'] },
    alter: (rules) => ({
      waitInstead: (seconds, request) => (seconds > 300 ? 300 : rules.waitInstead(seconds, request)),
    }),
  },
  {
    name: 'wait-above-300-held-in-full',
    breaks: 'wait.refused',
    sentence: 'A wait above 300 is held until it is over, whenever the response is finished.',
    alter: (rules) => ({
      waitInstead: (seconds, request) => (seconds > 300 ? seconds : rules.waitInstead(seconds, request)),
      heldMs: (waitMs, remainingMs, request) =>
        waitMs > 300_000 ? waitMs : rules.heldMs(waitMs, remainingMs, request),
    }),
  },
  {
    name: 'wait-zero-accepted',
    breaks: 'wait.refused',
    sentence: 'wait=0 means not to wait.',
    alter: (rules) => ({
      waitInstead: (seconds, request) => (seconds === 0 ? 0 : rules.waitInstead(seconds, request)),
    }),
  },
  {
    name: 'wait-negative-accepted',
    breaks: 'wait.refused',
    sentence: 'A negative wait is over at once.',
    alter: (rules) => ({ waitInstead: (seconds, request) => (seconds < 0 ? 0 : rules.waitInstead(seconds, request)) }),
  },
  {
    name: 'wait-fraction-cut',
    breaks: 'wait.refused',
    sentence: 'wait is read as an integer up to the first other character: 1.5 and 1s are 1.',
    alter: () => ({ readWait: (text) => Number.parseInt(text, 10) }),
  },
  {
    name: 'wait-text-ignored',
    breaks: 'wait.refused',
    sentence: 'A wait that is no number is ignored.',
    alter: (rules) => ({
      waitInstead: (seconds, request) => (Number.isNaN(seconds) ? 0 : rules.waitInstead(seconds, request)),
    }),
  },
];
