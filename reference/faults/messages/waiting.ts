import type { Request } from '../../http/request.ts';
import type { Message } from '../../state/state.ts';
import type { Fault } from '../../variation.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { hardlyOutlastsWait, neverOutlastsWait } from '../shared/idle.ts';
import { hasWait } from '../shared/requests.ts';

const withoutSeconds = [...hardlyOutlastsWait, 'always-2-s'];

/** A request with wait is held for another time, given what the specification says. All times are in milliseconds. */
export function held(
  change: (heldMs: number, times: { waitMs: number; remainingMs: number; request: Request }) => number,
): Fault['alter'] {
  return (rules) => ({
    heldMs: (wait, remainingMs, request) => {
      const heldMs = rules.heldMs(wait, remainingMs, request);
      return wait === undefined ? heldMs : change(heldMs, { waitMs: 1000 * wait, remainingMs, request });
    },
  });
}

/** A request without wait is held. */
function heldWithoutWait(change: (remainingMs: number) => number): Fault['alter'] {
  return (rules) => ({
    heldMs: (wait, remainingMs, request) =>
      wait === undefined ? change(remainingMs) : rules.heldMs(wait, remainingMs, request),
  });
}

/** A request whose response outlasts its wait gets that status. */
function endingWith(status: number): Fault['alter'] {
  return (rules) => ({
    messageAnswerStatus: (finished, request) =>
      !finished && hasWait(request) ? status : rules.messageAnswerStatus(finished, request),
  });
}

/** A request that was held for 3.5 seconds gets that status. */
function cutOffWith(status: number): Fault['alter'] {
  const cutMs = 3500;
  return (rules) => ({
    ...held((heldMs) => Math.min(cutMs, heldMs))(rules),
    messageAnswerStatus: (finished, request) =>
      !finished && Number(request.query.get('wait')?.[0]) * 1000 > cutMs
        ? status
        : rules.messageAnswerStatus(finished, request),
  });
}

/** A legal wait is refused. */
export function refusing(isRefused: (seconds: number) => boolean): Fault['alter'] {
  return (rules) => ({
    waitInRange: (seconds, request) => !isRefused(seconds) && rules.waitInRange(seconds, request),
  });
}

/** There, a wait that would be refused is replaced by one that is not. */
export const replacedByChoice = { 'wait-out-of-range': ['clamp', 'read-leniently'] } as const;

export const waitingFaults = faultsOf({
  'messages.immediate': {
    'always-held': {
      sentence: 'A request without wait is held until the response is finished.',
      alter: heldWithoutWait((remainingMs) => remainingMs),
    },
    'held-two-seconds': {
      sentence: 'A request without wait is held for up to two seconds, an undocumented default.',
      alter: heldWithoutWait((remainingMs) => Math.min(2000, remainingMs)),
    },
  },
  'wait.holds': {
    'wait-ignored': {
      sentence: 'wait is validated but ignored.',
      alter: held(() => 0),
    },
    'wait-in-milliseconds': {
      sentence: 'wait is interpreted as milliseconds.',
      alter: held((_heldMs, { waitMs, remainingMs }) => Math.min(waitMs / 1000, remainingMs)),
    },
    'wait-in-one-byte': {
      sentence: 'The seconds of a wait are kept in one byte, so a wait of 256 seconds is none.',
      alter: held((heldMs, { waitMs }) => Math.min(heldMs, waitMs % 256_000)),
    },
    'long-wait-cut-short': {
      sentence: 'A wait of more than a minute is held for at most three seconds, the time-out of an older proxy.',
      idle: { assistant: [...withoutSeconds, 'minutes', 'always-40-s'] },
      alter: held((heldMs, { waitMs }) => (waitMs > 60_000 ? Math.min(3000, heldMs) : heldMs)),
    },
    'wait-capped-by-proxy': {
      sentence: 'A request is held for at most one second, because a proxy ends it.',
      idle: { assistant: ['always-1-s'] },
      alter: held((heldMs) => Math.min(1000, heldMs)),
    },
    'wait-less-a-margin': {
      sentence: 'A request is held for three quarters of its wait, as a margin for the proxy.',
      idle: { assistant: withoutSeconds },
      alter: held((_heldMs, { waitMs, remainingMs }) => Math.min(0.75 * waitMs, remainingMs)),
    },
    'wait-capped-in-between': {
      sentence: 'A request is held for at most 3.5 seconds and then answered 202, before the load balancer ends it.',
      idle: { assistant: withoutSeconds },
      alter: held((heldMs) => Math.min(3500, heldMs)),
    },
    'held-request-cut-off': {
      sentence: 'A proxy answers 504 when a request was held for 3.5 seconds.',
      idle: { assistant: withoutSeconds },
      alter: cutOffWith(504),
    },
    'held-request-stopped': {
      sentence: 'The worker that holds a request is stopped after 3.5 seconds, and the proxy answers 502.',
      idle: { assistant: withoutSeconds },
      alter: cutOffWith(502),
    },
  },
  'wait.ends': {
    'wait-in-steps-of-five': {
      sentence: 'A request is held in steps of five seconds, so even wait=1 is held for five.',
      idle: { assistant: ['at-once', 'slow-is-quick', 'slow-is-half-a-second', 'moody', 'always-1200-ms'] },
      alter: held((_heldMs, { waitMs, remainingMs }) => Math.min(remainingMs, Math.ceil(waitMs / 5000) * 5000)),
    },
    'one-wait-at-a-time': {
      sentence: 'A single worker holds all requests with wait, one after another.',
      alter: (rules) => {
        let freeAt = 0;
        return held((heldMs, { request: { at } }) => {
          freeAt = Math.max(at, freeAt) + heldMs;
          return freeAt - at;
        })(rules);
      },
    },
    'one-worker-for-all': {
      sentence: 'A single worker serves everything, so every other request waits while one is held.',
      // A request that was reset is sent again when the other one has its answer.
      idle: { gateway: ['outages'] },
      alter: () => ({ workers: () => 1 }),
    },
    'organization-one-at-a-time': {
      sentence: 'A message waits until the running responses in other chats of its organization are finished.',
      alter: () => {
        const latest = new Map<string, Message>();
        return {
          onAccepted: (message) => void latest.set(message.organizationId, message),
          paceMs: ({ operation, ids, at }) => {
            const last = operation === 'sendMessage' ? latest.get(ids.organizationId) : undefined;
            return last === undefined || last.chatId === ids.chatId ? 0 : Math.max(0, last.finishesAt - at);
          },
        };
      },
    },
    'held-until-finished': {
      sentence: 'A request with wait is held until the response is finished, however long that takes.',
      idle: { assistant: hardlyOutlastsWait },
      alter: held((_heldMs, { remainingMs }) => remainingMs),
    },
    'wait-twice': {
      sentence: 'A request is held for twice its wait: once by the gateway and once by the service.',
      idle: { assistant: hardlyOutlastsWait },
      alter: held((_heldMs, { waitMs, remainingMs }) => Math.min(2 * waitMs, remainingMs)),
    },
    'wait-over-408': {
      sentence: 'A filter answers 408 if the wait ends before the response is finished, which goes on.',
      idle: { assistant: neverOutlastsWait },
      alter: endingWith(408),
    },
    'wait-over-504': {
      sentence: 'A proxy answers 504 if the wait ends before the response is finished.',
      idle: { assistant: neverOutlastsWait },
      alter: endingWith(504),
    },
    'wait-over-500': {
      sentence: 'The time-out of a wait is an exception that is handled nowhere.',
      idle: { assistant: neverOutlastsWait },
      alter: endingWith(500),
    },
    'slow-is-held-for-good': {
      sentence: 'A request whose response outlasts its wait is never answered.',
      idle: { assistant: neverOutlastsWait },
      alter: held((heldMs, { waitMs, remainingMs }) => (remainingMs > waitMs && waitMs > 0 ? 600_000 : heldMs)),
    },
  },
  'wait.minimum': {
    'wait-one-refused': {
      sentence: 'wait=1 is refused.',
      idle: replacedByChoice,
      alter: refusing((seconds) => seconds === 1),
    },
    'wait-from-five': {
      sentence: 'wait must be at least five seconds, the interval of the poller.',
      idle: replacedByChoice,
      alter: refusing((seconds) => seconds < 5),
    },
  },
  'wait.maximum': {
    'wait-300-refused': {
      sentence: 'wait=300 is refused: < instead of <=.',
      idle: replacedByChoice,
      alter: refusing((seconds) => seconds === 300),
    },
    'wait-up-to-sixty': {
      sentence: 'wait must be at most 60 seconds, the time-out of the load balancer.',
      idle: replacedByChoice,
      alter: refusing((seconds) => seconds > 60),
    },
    'wait-above-sixty-ignored': {
      sentence: 'A wait of more than 60 seconds is accepted but ignored.',
      idle: { assistant: ['at-once'] },
      alter: held((heldMs, { waitMs }) => (waitMs > 60_000 ? 0 : heldMs)),
    },
  },
});
