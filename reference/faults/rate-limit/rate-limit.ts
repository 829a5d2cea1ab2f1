import type { Request } from '../../http/request.ts';
import type { Fault } from '../../variation.ts';
import { carriedOut, titled } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { on } from '../shared/requests.ts';
import { without } from '../shared/values.ts';

/** Choices under which the window does not reset at once. */
const buckets = ['bucket', 'bucket-until-full', 'spaced'];

/** Choices under which retryAfterMs cannot be compared with the window. */
const withoutWindow = { pace: ['sluggish'], 'rate-window': buckets };

/** retryAfterMs has another value than the milliseconds until the window resets. */
function retrying(change: (ms: number, request: Request) => number): Fault['alter'] {
  return () => ({ retryAfterMs: (_shown, request, ms) => change(ms, request) });
}

/** At least 0 and less than 1, as if at random. */
function spread(turn: number): number {
  const mixed = Math.imul(turn ^ (turn >>> 7), 0x85ebca6b);
  return (Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) >>> 8) / 2 ** 24;
}

export const rateLimitFaults = faultsOf({
  'rate.body': {
    'rate-title-other': {
      sentence: 'The title of a 429 is Too Many Requests.',
      alter: titled('Too Many Requests', 'rateLimited'),
    },
    'rate-without-retry': {
      sentence: 'A 429 has no retryAfterMs.',
      alter: () => ({ error: (error) => without(error, 'retryAfterMs') }),
    },
    'retry-in-text': {
      sentence: 'retryAfterMs is returned as a string.',
      alter: () => ({ retryAfterMs: String }),
    },
    'retry-in-text-on-account': {
      sentence: 'retryAfterMs is returned as a string by the program that serves billing accounts.',
      idle: { ...withoutWindow, 'rate-scope': ['operation', 'writes'] },
      alter: () => ({ retryAfterMs: (ms, request) => (on('getBillingAccount')(request) ? String(ms) : ms) }),
    },
    'retry-negative': {
      sentence: 'retryAfterMs is negative: now - reset instead of reset - now.',
      alter: retrying((ms) => -ms),
    },
  },
  'rate.honest': {
    'retry-in-seconds': {
      sentence: 'retryAfterMs is in seconds.',
      idle: withoutWindow,
      alter: retrying((ms) => Math.ceil(ms / 1000)),
    },
    'window-twice-as-long': {
      sentence: 'The window is twice as long as retryAfterMs indicates.',
      idle: withoutWindow,
      alter: (rules) => ({
        rateWindowAt: (last, now, windowMs, quota, request) =>
          rules.rateWindowAt(last, now, 2 * windowMs, quota, request),
      }),
    },
    'limited-for-good': {
      sentence: 'A caller who exceeded the limit once stays limited, because a full counter is never reset.',
      idle: { 'rate-window': ['sliding'] },
      alter: (rules) => ({
        rateWindowAt: (last, now, windowMs, quota, request) =>
          last !== undefined && rules.rateExceeded(last, quota, request)
            ? { ...last, startedAt: now }
            : rules.rateWindowAt(last, now, windowMs, quota, request),
      }),
    },
  },
  'rate.counts-down': {
    'retry-is-the-window': {
      sentence: 'retryAfterMs is always the length of the window.',
      idle: { 'rate-quota': ['20-in-1s'], 'rate-window': buckets },
      alter: (rules) => retrying((_ms, request) => rules.rateWindowMs(request))(rules),
    },
    'retry-a-quarter-more': {
      sentence: 'retryAfterMs is a quarter more than the time until the window resets.',
      idle: withoutWindow,
      // In a window shorter than five seconds, a quarter is within the tolerance for clocks and timers.
      alter: (rules) => ({
        rateWindowMs: (request) => Math.max(5000, rules.rateWindowMs(request)),
        ...retrying((ms) => Math.ceil(1.25 * ms))(rules),
      }),
    },
    'retry-spread-at-random': {
      sentence: 'retryAfterMs varies at random around the time until the window resets.',
      // Of a window on the clock, little may be left when the quota is used up.
      idle: { ...withoutWindow, 'rate-window': ['on-the-clock', ...buckets] },
      alter: retrying((ms, { turn }) => Math.ceil(2 * ms * spread(turn))),
    },
    'retry-counts-up': {
      sentence: 'retryAfterMs is the age of the window and grows until the window resets.',
      // A window of one second is over before slow answers show the growth.
      idle: { 'rate-window': buckets, 'rate-quota': ['20-in-1s'] },
      alter: (rules) => retrying((ms, request) => Math.max(0, rules.rateWindowMs(request) - ms))(rules),
    },
  },
  'rate.no-effect': {
    'limited-requests-act': {
      sentence: 'The rate limit applies only to the answer, so a refused request is still carried out.',
      alter: carriedOut('rateLimited'),
    },
    'limited-messages-act': {
      sentence: 'A message over the rate limit is refused but still answered by the assistant.',
      alter: carriedOut('rateLimited', on('sendMessage')),
    },
  },
});
