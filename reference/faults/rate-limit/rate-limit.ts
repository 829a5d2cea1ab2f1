import type { Request } from '../../http/request.ts';
import { refusedAs, refusedWith, retrying, titled, together } from '../shared/alterations.ts';
import { faultsOf } from '../shared/faults-of.ts';
import { buckets, withoutWindow } from '../shared/idle.ts';
import { isRealMessage, keyOf, on } from '../shared/requests.ts';
import { without } from '../shared/values.ts';

/** The same, and those under which the limit of one operation is compared with no other, or hardly any time of a window is left. */
const earlyOfOne = {
  ...withoutWindow,
  'rate-window': ['on-the-clock', ...buckets],
  'rate-scope': ['operation', 'writes'],
  'rate-quota': ['20-in-1s'],
};

function isList(request: Request): boolean {
  return on('listModels')(request) || on('listDataSources')(request);
}

export const rateLimitFaults = faultsOf({
  'access.granted': {
    'limited-as-unauthorized': {
      sentence: 'The quota is counted where keys are looked up, so a caller who exceeds it is answered 401.',
      idle: { 'rate-quota': ['none'], 'rate-scope': ['writes'] },
      alter: together(refusedWith(401, 'rateLimited'), titled('Unauthorized', 'rateLimited'), () => ({
        error: (error) => without(error, 'retryAfterMs'),
      })),
    },
  },
  'paging.has-more': {
    'limited-as-empty-page': {
      sentence: 'A list that the limit refuses is shown as an empty page.',
      idle: { models: ['0'], sources: ['0'], 'rate-quota': ['none'], 'rate-scope': ['writes'] },
      alter: together(
        refusedWith(200, 'rateLimited', isList),
        refusedAs(() => ({ data: [], pagination: { nextCursor: null, hasMore: false } }), 'rateLimited', isList),
      ),
    },
  },
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
    'retry-is-the-time-of-the-reset': {
      sentence: 'retryAfterMs is the time at which the window resets, in milliseconds since 1970.',
      alter: retrying((ms, { at }) => at + ms),
    },
    'retry-is-a-unix-time-in-seconds': {
      sentence: 'retryAfterMs is the time at which the window resets, in seconds since 1970.',
      alter: retrying((ms, { at }) => Math.ceil((at + ms) / 1000)),
    },
    'retry-zero-in-the-last-second': {
      sentence: 'What is left of a window is cut to whole seconds in its last second, so retryAfterMs is 0 there.',
      idle: { ...withoutWindow, 'rate-window': ['on-the-clock', ...buckets], 'rate-quota': ['20-in-1s'] },
      alter: retrying((ms) => (ms < 1000 ? 0 : ms)),
    },
    'retry-of-deletions-in-seconds': {
      sentence: 'retryAfterMs is in seconds if a deletion is refused.',
      idle: withoutWindow,
      alter: retrying((ms, request) => (on('deleteDataSource')(request) ? Math.ceil(ms / 1000) : ms)),
    },
    'retry-of-attachments-is-a-quarter-second': {
      sentence: 'retryAfterMs is always 250 if an attachment is refused, so that a client tries again soon.',
      idle: earlyOfOne,
      alter: retrying((ms, request) => (on('attachOrganization')(request) ? 250 : ms)),
    },
    'retry-of-deletions-in-hundredths': {
      sentence: 'retryAfterMs is in hundredths of a second if a deletion is refused.',
      idle: { ...earlyOfOne, sources: ['0', '1', '3'] },
      alter: retrying((ms, request) => (on('deleteDataSource')(request) ? Math.ceil(ms / 10) : ms)),
    },
    'retry-of-messages-is-a-quarter-second': {
      sentence: 'retryAfterMs is always 250 if a message is refused, so that a client tries again soon.',
      idle: earlyOfOne,
      alter: retrying((ms, request) => (on('sendMessage')(request) ? 250 : ms)),
    },
    'retry-of-account-in-seconds': {
      sentence: 'retryAfterMs is in seconds if a billing account is read, which another program serves.',
      idle: { ...withoutWindow, 'rate-scope': ['operation', 'writes'], 'rate-quota': ['20-in-1s'] },
      alter: retrying((ms, request) => (on('getBillingAccount')(request) ? Math.ceil(ms / 1000) : ms)),
    },
    'window-twice-as-long': {
      sentence: 'The window is twice as long as retryAfterMs indicates.',
      idle: withoutWindow,
      alter: (rules) => ({
        rateWindowAt: (last, now, windowMs, quota, request) =>
          rules.rateWindowAt(last, now, 2 * windowMs, quota, request),
      }),
    },
    'limited-callers-wait-longer': {
      sentence: 'Who used a quota up stays limited for three seconds after the end of the window that was announced.',
      idle: withoutWindow,
      alter: (rules) => ({
        rateWindowAt: (last, now, windowMs, quota, request) => {
          const overMs = now - (last?.startedAt ?? now) - windowMs;
          const isFull = last !== undefined && rules.rateExceeded(last, quota, request);
          return isFull && overMs >= 0 && overMs < 3000
            ? { ...last, startedAt: last.startedAt + 3000 }
            : rules.rateWindowAt(last, now, windowMs, quota, request);
        },
      }),
    },
    'limited-callers-are-shut-out': {
      sentence:
        'Who used a quota up is refused for three seconds more than announced. Meanwhile windows follow one another, and each announces its end.',
      idle: withoutWindow,
      alter: (rules) => {
        const shutOutUntil = new Map<string, number>();
        return {
          rateExceeded: (window, quota, request) => {
            const name = request.caller?.name ?? '';
            const until = shutOutUntil.get(name);
            if (until !== undefined && request.at < until) return true;
            shutOutUntil.delete(name);
            const isExceeded = rules.rateExceeded(window, quota, request);
            if (isExceeded) shutOutUntil.set(name, window.startedAt + rules.rateWindowMs(request) + 3000);
            return isExceeded;
          },
        };
      },
    },
    'first-refusal-adds-three-seconds': {
      sentence:
        'The first refusal makes a window three seconds longer, and announces the end that it had before; later refusals announce the new end.',
      // Of a window on the clock, little may be left; of a short one, too little to use the quota up one request at a time.
      idle: { ...withoutWindow, 'rate-window': ['on-the-clock', 'sliding', ...buckets] },
      alter: (rules) => {
        const longer = new Set<number>();
        return {
          rateWindowAt: (last, now, windowMs, quota, request) =>
            last !== undefined && longer.has(last.startedAt) && now < last.startedAt + windowMs + 3000
              ? last
              : rules.rateWindowAt(last, now, windowMs, quota, request),
          rateResetMs: (window, now, ...more) => {
            const isFirst = !longer.has(window.startedAt);
            longer.add(window.startedAt);
            return rules.rateResetMs(window, isFirst ? now : now - 3000, ...more);
          },
        };
      },
    },
    'retry-is-a-tenth-of-a-second': {
      sentence: 'retryAfterMs is always 100, so that a client tries again soon.',
      idle: withoutWindow,
      alter: (rules) => ({ rateWindowMs: () => 2500, ...retrying(() => 100)(rules) }),
    },
    'retry-is-zero': {
      sentence: 'retryAfterMs is always 0.',
      idle: withoutWindow,
      alter: retrying(() => 0),
    },
    'refusal-begins-the-window': {
      sentence: 'Each refusal begins the window again, and announces the end that it had before.',
      idle: { ...withoutWindow, 'rate-window': ['on-the-clock', 'sliding', ...buckets] },
      alter: (rules) => {
        const begunAgain = new Map<number, number>();
        return {
          rateWindowAt: (last, now, windowMs, quota, request) =>
            last !== undefined && now < (begunAgain.get(last.startedAt) ?? 0) + windowMs
              ? last
              : rules.rateWindowAt(last, now, windowMs, quota, request),
          rateResetMs: (window, now, ...more) => {
            const startedAt = begunAgain.get(window.startedAt) ?? window.startedAt;
            begunAgain.set(window.startedAt, now);
            return rules.rateResetMs({ ...window, startedAt }, now, ...more);
          },
        };
      },
    },
    'refusal-stored-under-key': {
      sentence: 'The first answer to a key is stored and returned for good, even if it is a 429.',
      idle: { 'rate-quota': ['none'] },
      alter: (rules) => {
        const stored = new Set<string>();
        return {
          rateExceeded: (window, quota, request) => {
            const key = isRealMessage(request) ? keyOf(request, rules) : undefined;
            const exceeded = rules.rateExceeded(window, quota, request) || (key !== undefined && stored.has(key));
            if (exceeded && key !== undefined) stored.add(key);
            return exceeded;
          },
        };
      },
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
});
