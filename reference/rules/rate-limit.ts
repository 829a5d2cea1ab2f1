import type { Request } from '../http/request.ts';
import type { RateWindow } from '../state/state.ts';

/** Sections 7 and 8. The specification shows no quotas and no length of the window. */
export const rateLimitRules = {
  /** Whether requests are counted before their key is checked, so that wrong keys have a quota too. */
  rateBeforeKey(_request: Request): boolean {
    return true;
  },
  rateQuota(_request: Request): number {
    return 200;
  },
  rateWindowMs(_request: Request): number {
    return 2000;
  },
  /** Requests of one bucket share a quota. */
  rateBucket(token: string, _request: Request): string {
    return token;
  },
  /** The window before this request: a new one when the last is over. */
  rateWindowAt(
    last: RateWindow | undefined,
    now: number,
    windowMs: number,
    _quota: number,
    _request: Request,
  ): RateWindow {
    if (last !== undefined && now < last.startedAt + windowMs) return last;
    return { startedAt: now, used: 0, passedAt: [] };
  },
  rateExceeded(window: RateWindow, quota: number, _request: Request): boolean {
    return window.used >= quota;
  },
  /** The window after a request that passed. */
  rateCounted(window: RateWindow, _now: number, _request: Request): RateWindow {
    return { ...window, used: window.used + 1 };
  },
  /** Milliseconds until the window resets. */
  rateResetMs(window: RateWindow, now: number, windowMs: number, _quota: number, _request: Request): number {
    return Math.max(0, Math.ceil(window.startedAt + windowMs - now));
  },
  /** Headers that a 429 has beside the usual ones. */
  rateHeaders(_ms: number, _request: Request): Readonly<Record<string, string>> {
    return {};
  },
} as const;
