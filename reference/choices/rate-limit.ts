import type { Rules } from '../rules/rules.ts';
import { reasons } from './assistant.ts';
import type { Choice, Variation } from '../variation.ts';

function quota(requests: number, windowMs: number): Variation {
  return { alter: () => ({ rateQuota: () => requests, rateWindowMs: () => windowMs }) };
}

/** Each accepted request drains by itself, so the wait is for the next request only. */
const bucket: Partial<Rules> = {
  rateWindowAt: (last, now, windowMs, quota) => {
    const sinceMs = Math.max(0, now - (last?.startedAt ?? now)); // a clock may be moved back
    const drained = (sinceMs / windowMs) * quota;
    return { startedAt: now, used: Math.max(0, (last?.used ?? 0) - drained), passedAt: [] };
  },
  rateExceeded: (window, quota) => window.used > quota - 1,
  rateResetMs: (window, _now, windowMs, quota) => Math.ceil(((window.used - quota + 1) / quota) * windowMs),
};

const neverHolds =
  'The limit refuses requests only for a moment. Reaching it again may take more requests than a run sends.';
const refillsAnyMoment = 'The quota may refill just before the request that should be refused.';

const outlasted = 'The window outlasts every response, so a trace of a refused message is gone by then.';
const unmet =
  'Half of the requests that look for a limit are lists. The other half may be too few to exceed a quota of writes several times.';
const unlimited = 'There is no quota.';
const outagesLimited = reasons(
  'The messages that are sent during an outage may exceed the quota.',
  'conflict.refused/pause',
  'conflict.refused/clock',
  'conflict.refused/failover',
);

const responsesMissed = reasons(
  'What the limit refuses is sent again later. A quick response may have ended by then.',
  'conflict.race',
  'conflict.refused/after-wait',
  'messages.accepted-is-generating/repeated',
  'messages.accepted-is-generating/after-wait',
  'idempotency.no-duplicate/while-generating',
  'idempotency.opaque/uuid',
);

export const rateLimitChoices: readonly Choice[] = [
  {
    axis: 'rate-quota',
    section: '8',
    sentence: 'The quota of a caller, and the length of the window.',
    default: '200-in-2s',
    values: {
      '200-in-2s': {},
      '20-in-1s': quota(20, 1000),
      '100-in-5s': quota(100, 5000),
      '200-in-30s': quota(200, 30_000),
      none: quota(Number.POSITIVE_INFINITY, 1000),
    },
    blocks: {
      '20-in-1s': outagesLimited,
      '100-in-5s': { 'rate.no-effect': outlasted, ...outagesLimited, ...responsesMissed },
      '200-in-30s': { 'rate.no-effect': outlasted, ...outagesLimited, ...responsesMissed },
      none: {
        'rate.body': unlimited,
        'rate.honest': unlimited,
        'rate.counts-down': unlimited,
        'rate.no-effect': unlimited,
        'attach.refused-no-effect': unlimited,
      },
    },
  },
  {
    axis: 'rate-window',
    section: '8',
    sentence: 'The kind of window.',
    default: 'fixed',
    blocks: {
      spaced: {
        ...outagesLimited,
        ...responsesMissed,
        'rate.no-effect': refillsAnyMoment,
        'attach.refused-no-effect/limited': refillsAnyMoment,
        'access.denied-no-effect/attachOrganization/at-last': refillsAnyMoment,
      },
      bucket: {
        'rate.no-effect': refillsAnyMoment,
        'attach.refused-no-effect': refillsAnyMoment,
        'access.denied-no-effect/attachOrganization/at-last': refillsAnyMoment,
      },
      'bucket-until-full': {
        'rate.no-effect': refillsAnyMoment,
        'attach.refused-no-effect': refillsAnyMoment,
        'access.denied-no-effect/attachOrganization/at-last': refillsAnyMoment,
        'rate.counts-down': neverHolds,
      },
    },
    values: {
      fixed: {},
      'on-the-clock': {
        alter: () => ({
          rateWindowAt: (last, now, windowMs) => {
            const startedAt = Math.floor(now / windowMs) * windowMs;
            return last?.startedAt === startedAt ? last : { startedAt, used: 0, passedAt: [] };
          },
        }),
      },
      bucket: { alter: () => bucket },
      // The specification does not define the window of a bucket: it may reset when the whole bucket is free again.
      'bucket-until-full': {
        alter: () => ({
          ...bucket,
          rateResetMs: (window, _now, windowMs, quota) => Math.ceil((window.used / quota) * windowMs),
        }),
      },
      // One request at a time, at the pace of the quota: a bucket that holds one.
      spaced: {
        alter: () => ({
          ...bucket,
          rateExceeded: (window) => window.used > 0,
          rateResetMs: (window, _now, windowMs, quota) => Math.ceil((window.used / quota) * windowMs),
        }),
      },
      sliding: {
        alter: () => ({
          rateWindowAt: (last, now, windowMs) => {
            const passedAt = last?.passedAt ?? [];
            while ((passedAt[0] ?? now) <= now - windowMs) passedAt.shift();
            return { startedAt: passedAt[0] ?? now, used: passedAt.length, passedAt };
          },
          rateCounted: (window, now) => {
            window.passedAt.push(now);
            return window;
          },
        }),
      },
    },
  },
  {
    axis: 'rate-scope',
    blocks: {
      writes: {
        'rate.honest': unmet,
        'rate.counts-down': unmet,
        'rate.no-effect': unmet,
        'attach.refused-no-effect': unmet,
      },
    },
    section: '8',
    sentence: 'Which requests share a quota.',
    default: 'key',
    values: {
      key: {},
      service: { alter: () => ({ rateBucket: () => 'all' }) },
      writes: {
        alter: (rules) => ({
          rateBucket: (token, request) => `${token} ${request.method === 'GET' ? 'reads' : 'writes'}`,
          rateQuota: (request) => (request.method === 'GET' ? Number.POSITIVE_INFINITY : rules.rateQuota(request)),
        }),
      },
      operation: { alter: () => ({ rateBucket: (token, request) => `${token} ${request.operation ?? ''}` }) },
    },
  },
  {
    axis: 'rate-order',
    section: '8',
    sentence: 'Whether requests without a valid key, and empty messages, are limited.',
    default: 'all-counted',
    values: {
      'all-counted': {},
      'good-keys-counted': { alter: () => ({ rateBeforeKey: () => false }) },
      'empty-messages-unlimited': {
        alter: (rules) => ({
          rateExceeded: (window, quota, request) =>
            !(request.operation === 'sendMessage' && request.body.includes('""')) &&
            rules.rateExceeded(window, quota, request),
        }),
      },
    },
  },
  {
    axis: 'retry-after-ms',
    section: '7',
    sentence: 'Whether retryAfterMs is an integer.',
    default: 'whole',
    values: {
      whole: {},
      fraction: { alter: () => ({ retryAfterMs: (_shown, _request, ms) => ms + 0.375 }) },
    },
  },
  {
    axis: 'retry-after-header',
    section: '7',
    sentence: 'Whether a 429 has the header Retry-After, and headers for the quota.',
    default: 'absent',
    values: {
      absent: {},
      seconds: { alter: () => ({ rateHeaders: (ms) => ({ 'retry-after': String(Math.ceil(ms / 1000)) }) }) },
      'with-quotas': {
        alter: (rules) => ({
          rateHeaders: (ms, request) => ({
            'retry-after': String(Math.ceil(ms / 1000)),
            'ratelimit-limit': String(rules.rateQuota(request)),
            'ratelimit-remaining': '0',
            'ratelimit-reset': String(Math.ceil(ms / 1000)),
          }),
        }),
      },
    },
  },
];
