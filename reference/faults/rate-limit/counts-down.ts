import { retrying } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { buckets, withoutWindow } from '../shared/idle.ts';

/** At least 0 and less than 1, as if at random. */
function spread(turn: number): number {
  const mixed = Math.imul(turn ^ (turn >>> 7), 0x85ebca6b);
  return (Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35) >>> 8) / 2 ** 24;
}

/** Waits that do not count down to one reset. */
export const countDownFaults = faultsOf({
  'rate.counts-down': {
    'retry-is-the-window': {
      sentence: 'retryAfterMs is always the length of the window.',
      idle: { 'rate-quota': ['20-in-1s'], 'rate-window': buckets },
      alter: (rules) => retrying((_ms, request) => rules.rateWindowMs(request))(rules),
    },
    'retry-is-half': {
      sentence: 'retryAfterMs is half of the time until the window resets.',
      idle: { ...withoutWindow, 'rate-quota': ['20-in-1s'] },
      alter: retrying((ms) => Math.floor(ms / 2)),
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
    'retry-two-windows-more': {
      sentence: 'retryAfterMs is two windows more than the time until the window resets.',
      idle: withoutWindow,
      alter: (rules) => retrying((ms, request) => ms + 2 * rules.rateWindowMs(request))(rules),
    },
    'retry-an-hour-more': {
      sentence:
        'retryAfterMs is computed with a local time, and is an hour more than the time until the window resets.',
      idle: withoutWindow,
      alter: retrying((ms) => ms + 3_600_000),
    },
    'retry-an-hour-on-the-clock': {
      sentence: 'Windows begin on the clock, and retryAfterMs is always the hour that is set for another limit.',
      idle: { ...withoutWindow, 'rate-window': ['sliding', ...buckets] },
      alter: (rules) => ({
        rateWindowAt: (last, now, windowMs) => {
          const startedAt = Math.floor(now / windowMs) * windowMs;
          return last?.startedAt === startedAt ? last : { startedAt, used: 0, passedAt: [] };
        },
        ...retrying(() => 3_600_000)(rules),
      }),
    },
    'retry-wraps-in-the-last-second': {
      sentence: 'A second is subtracted from what is left of a window, and below zero retryAfterMs wraps around.',
      idle: { ...withoutWindow, 'rate-window': ['on-the-clock', ...buckets], 'rate-quota': ['20-in-1s'] },
      alter: retrying((ms) => (ms < 1000 ? ms - 1000 + 2 ** 32 : ms)),
    },
    'retry-spread-at-random': {
      sentence: 'retryAfterMs varies at random around the time until the window resets.',
      // Of a window on the clock, little may be left when the quota is used up.
      idle: { ...withoutWindow, 'rate-window': ['on-the-clock', ...buckets] },
      alter: retrying((ms, { turn }) => Math.ceil(2 * ms * spread(turn))),
    },
    'retry-longer-each-time': {
      sentence: 'Each refusal asks to wait half a second longer than the one before, but the window resets as usual.',
      idle: withoutWindow,
      alter: () => {
        let refusals = 0;
        return { retryAfterMs: (_shown, _request, ms) => ms + 500 * (refusals += 1) };
      },
    },
    'retry-a-little-longer-each-time': {
      sentence:
        'Each refusal asks to wait 100 ms longer than the time to the reset and than the refusals before it did.',
      // In a window of half a minute, the growth is within the tolerance.
      idle: { ...withoutWindow, 'rate-quota': ['200-in-30s'] },
      alter: () => {
        let refusals = 0;
        return { retryAfterMs: (_shown, _request, ms) => ms + 100 * (refusals += 1) };
      },
    },
    'retry-hardly-longer-each-time': {
      sentence:
        'Each refusal asks to wait 40 ms longer than the time to the reset and than the refusals before it did.',
      // In a window of half a minute, the growth is within the tolerance; one of a second is over too soon.
      idle: { ...withoutWindow, 'rate-quota': ['200-in-30s', '20-in-1s'] },
      alter: () => {
        let refusals = 0;
        return { retryAfterMs: (_shown, _request, ms) => ms + 40 * (refusals += 1) };
      },
    },
    'retry-counts-up': {
      sentence: 'retryAfterMs is the age of the window and grows until the window resets.',
      // A window of one second is over before slow answers show the growth.
      idle: { 'rate-window': buckets, 'rate-quota': ['20-in-1s'] },
      alter: (rules) => retrying((ms, request) => Math.max(0, rules.rateWindowMs(request) - ms))(rules),
    },
  },
});
