import type { Ask } from '../http/ask.ts';
import type { Json, JsonObject } from '../http/json.ts';
import type { RateWindow } from '../state/state.ts';

/** Sections 7 and 8: quotas and windows, of which the numbers are not shown. */
export const rateRules = {
  /** Whether requests are counted before their key is looked at, so that wrong keys have a quota too. */
  rateBeforeKey(_ask: Ask): boolean {
    return true;
  },
  rateQuota(_ask: Ask): number {
    return 200;
  },
  rateWindowMs(_ask: Ask): number {
    return 2000;
  },
  /** Who shares a quota. */
  rateBucket(token: string, _ask: Ask): string {
    return token;
  },
  /** The window at an instant, before this request: a new one when the last is over. */
  rateWindowAt(last: RateWindow | undefined, now: number, windowMs: number, _quota: number, _ask: Ask): RateWindow {
    if (last !== undefined && now < last.startedAt + windowMs) return last;
    return { startedAt: now, used: 0, passedAt: [] };
  },
  rateExceeded(window: RateWindow, quota: number, _ask: Ask): boolean {
    return window.used >= quota;
  },
  /** The window after a request that passed. */
  rateCounted(window: RateWindow, _now: number, _ask: Ask): RateWindow {
    return { ...window, used: window.used + 1 };
  },
  /** Milliseconds until the window resets. */
  rateResetMs(window: RateWindow, now: number, windowMs: number, _quota: number, _ask: Ask): number {
    return Math.max(0, Math.ceil(window.startedAt + windowMs - now));
  },
  /** The value that the body shows for that many milliseconds. */
  retryAfterMs(ms: number, _ask: Ask): Json {
    return ms;
  },
  /** Headers that a 429 carries beside the usual ones. */
  rateHeaders(_ms: number, _ask: Ask): Readonly<Record<string, string>> {
    return {};
  },
  rateBody(body: JsonObject, _ask: Ask): JsonObject {
    return body;
  },
} as const;
