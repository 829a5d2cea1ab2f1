import type { Rules } from '../rules/rules.ts';
import type { Choice, Variation } from '../variation.ts';

function quota(requests: number, windowMs: number): Variation {
  return { alter: () => ({ rateQuota: () => requests, rateWindowMs: () => windowMs }) };
}

/** Each request that passed drains out by itself, so that the wait is for the next one only. */
const bucket: Partial<Rules> = {
  rateWindowAt: (last, now, windowMs, quota) => {
    const drained = last === undefined ? 0 : ((now - last.startedAt) / windowMs) * quota;
    return { startedAt: now, used: Math.max(0, (last?.used ?? 0) - drained), passedAt: [] };
  },
  rateExceeded: (window, quota) => window.used > quota - 1,
  rateResetMs: (window, _now, windowMs, quota) => Math.ceil(((window.used - quota + 1) / quota) * windowMs),
};

const neverHolds =
  'It refuses for a moment only; that it is full when it says so may cost more requests than a run has.';
const refillsAnyMoment = 'It may refill just before the request that is to be refused.';

const outlasted = 'The window outlasts every response: what a refused message left is over by then.';
const unmet = 'A run may write too little to meet it.';
const unlimited = 'There is no quota that could be used up.';

export const rateChoices: readonly Choice[] = [
  {
    axis: 'rate-quota',
    section: '8',
    sentence: 'How many requests a caller has in which time.',
    default: '200-in-2s',
    values: {
      '200-in-2s': {},
      '20-in-1s': quota(20, 1000),
      '100-in-5s': quota(100, 5000),
      '200-in-30s': quota(200, 30_000),
      none: quota(Number.POSITIVE_INFINITY, 1000),
    },
    blocks: {
      '100-in-5s': { 'rate.no-effect': outlasted },
      '200-in-30s': { 'rate.no-effect': outlasted },
      none: {
        'rate.body': unlimited,
        'rate.honest': unlimited,
        'rate.counts-down': unlimited,
        'rate.no-effect': unlimited,
      },
    },
  },
  {
    axis: 'rate-window',
    section: '8',
    sentence: 'How the window lies.',
    default: 'fixed',
    blocks: {
      bucket: { 'rate.no-effect': refillsAnyMoment },
      'bucket-until-full': { 'rate.no-effect': refillsAnyMoment, 'rate.counts-down': neverHolds },
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
      // What the window of a bucket is, and so when it resets, is not said: it may be when all of it is free again.
      'bucket-until-full': {
        alter: () => ({
          ...bucket,
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
        'rate.body': unmet,
        'rate.honest': unmet,
        'rate.counts-down': unmet,
        'rate.no-effect': unmet,
      },
    },
    section: '8',
    sentence: 'Who shares a quota.',
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
    sentence: 'Whether requests without a good key are counted.',
    default: 'all-counted',
    values: { 'all-counted': {}, 'good-keys-counted': { alter: () => ({ rateBeforeKey: () => false }) } },
  },
  {
    axis: 'retry-after-ms',
    section: '7',
    sentence: 'Whether retryAfterMs is whole.',
    default: 'whole',
    values: {
      whole: {},
      fraction: { alter: () => ({ retryAfterMs: (ms) => ms + 0.375 }) },
    },
  },
  {
    axis: 'retry-after-header',
    section: '7',
    sentence: 'Whether a 429 carries the header Retry-After, and quotas stand in headers.',
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
