import type { Fault } from '../../variation.ts';
import { without } from '../shared/records.ts';

export const rateFaults: readonly Fault[] = [
  {
    name: 'rate-title-other',
    breaks: 'rate.body',
    sentence: 'The title of a 429 is Too Many Requests.',
    alter: (rules) => ({
      refusalTitle: (kind, status, request) =>
        kind === 'rateLimited' ? 'Too Many Requests' : rules.refusalTitle(kind, status, request),
    }),
  },
  {
    name: 'rate-without-retry',
    breaks: 'rate.body',
    sentence: 'A 429 has no retryAfterMs.',
    alter: (rules) => ({ rateBody: (body, request) => without(rules.rateBody(body, request), 'retryAfterMs') }),
  },
  {
    name: 'retry-in-text',
    breaks: 'rate.body',
    sentence: 'retryAfterMs is a text.',
    alter: (rules) => ({ retryAfterMs: (ms, request) => String(rules.retryAfterMs(ms, request)) }),
  },
  {
    name: 'retry-in-text-on-account',
    breaks: 'rate.body',
    sentence: 'Billing accounts are served by another program, whose retryAfterMs is a text.',
    idle: { pace: ['sluggish'], 'rate-window': ['bucket', 'bucket-until-full'], 'rate-scope': ['operation', 'writes'] },
    alter: (rules) => ({
      retryAfterMs: (ms, request) => {
        const made = rules.retryAfterMs(ms, request);
        return request.operation === 'getBillingAccount' ? String(made) : made;
      },
    }),
  },
  {
    name: 'retry-negative',
    breaks: 'rate.body',
    sentence: 'retryAfterMs is now minus reset, not reset minus now.',
    alter: () => ({ retryAfterMs: (ms) => -ms }),
  },
  {
    name: 'retry-in-seconds',
    breaks: 'rate.honest',
    sentence: 'retryAfterMs is in seconds.',
    idle: { pace: ['sluggish'], 'rate-window': ['bucket', 'bucket-until-full'] },
    alter: () => ({ retryAfterMs: (ms) => Math.ceil(ms / 1000) }),
  },
  {
    name: 'window-twice-as-long',
    breaks: 'rate.honest',
    sentence: 'The window is twice as long as retryAfterMs supposes.',
    idle: { pace: ['sluggish'], 'rate-window': ['bucket', 'bucket-until-full'] },
    alter: (rules) => ({
      rateWindowAt: (last, now, windowMs, quota, request) =>
        rules.rateWindowAt(last, now, 2 * windowMs, quota, request),
    }),
  },
  {
    name: 'limited-for-good',
    breaks: 'rate.honest',
    sentence: 'Whoever met the limit once stays limited: what counts the requests is never set back where it is full.',
    idle: { 'rate-window': ['bucket', 'bucket-until-full', 'sliding'] },
    alter: (rules) => ({
      rateWindowAt: (last, now, windowMs, quota, request) =>
        last !== undefined && rules.rateExceeded(last, quota, request)
          ? { ...last, startedAt: now }
          : rules.rateWindowAt(last, now, windowMs, quota, request),
    }),
  },
  {
    name: 'retry-is-the-window',
    breaks: 'rate.counts-down',
    sentence: 'retryAfterMs is always the length of the window.',
    idle: { 'rate-quota': ['20-in-1s'], 'rate-window': ['bucket', 'bucket-until-full'] },
    alter: (rules) => ({ retryAfterMs: (_ms, request) => rules.rateWindowMs(request) }),
  },
  {
    name: 'retry-a-fifth-more',
    breaks: 'rate.counts-down',
    sentence: 'retryAfterMs is a fifth more than what is left of a window of five seconds, to be on the safe side.',
    idle: { pace: ['sluggish'], 'rate-window': ['bucket', 'bucket-until-full'] },
    // Within a shorter window a fifth is no more than what clocks and timers are allowed.
    alter: (rules) => ({
      rateWindowMs: (request) => Math.max(5000, rules.rateWindowMs(request)),
      retryAfterMs: (ms, request) => rules.retryAfterMs(Math.ceil(1.2 * ms), request),
    }),
  },
  {
    name: 'retry-spread-at-random',
    breaks: 'rate.counts-down',
    sentence: 'retryAfterMs is spread at random around what is left, so that clients do not come back at once.',
    // Of a window on the clock there may be little left when the quota is used up.
    idle: { pace: ['sluggish'], 'rate-window': ['on-the-clock', 'bucket', 'bucket-until-full'] },
    alter: (rules) => ({
      retryAfterMs: (ms, request) => rules.retryAfterMs(Math.ceil(2 * ms * spread(request.turn)), request),
    }),
  },
  {
    name: 'retry-counts-up',
    breaks: 'rate.counts-down',
    sentence: 'retryAfterMs is the age of the window, and grows until the window resets.',
    // A second is over before slow answers show where it counts to.
    idle: { 'rate-window': ['bucket', 'bucket-until-full'], 'rate-quota': ['20-in-1s'] },
    alter: (rules) => ({ retryAfterMs: (ms, request) => Math.max(0, rules.rateWindowMs(request) - ms) }),
  },
  {
    name: 'limited-requests-act',
    breaks: 'rate.no-effect',
    sentence: 'The rate limit is applied to the answer: what was asked has happened.',
    alter: () => ({ actsThoughRefused: (why) => why.kind === 'rateLimited' }),
  },
  {
    name: 'limited-messages-act',
    breaks: 'rate.no-effect',
    sentence: 'A message over the limit is queued and answered by the assistant.',
    alter: () => ({
      actsThoughRefused: (why, request) => why.kind === 'rateLimited' && request.operation === 'sendMessage',
    }),
  },
];

/** At least 0 and less than 1, as if at random. */
function spread(turn: number): number {
  const mixed = Math.imul(turn ^ (turn >>> 7), 0x85ebca6b);
  return (Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) >>> 8) / 2 ** 24;
}
