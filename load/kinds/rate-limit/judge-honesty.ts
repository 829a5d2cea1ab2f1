import { impliedReset, lineThrough, type Refusal, roundingOf } from '../../../core/implied-resets.ts';
import { median } from '../../compare/statistics/median.ts';
import { type LimitedWindow, refusalsIn } from './limit-sample.ts';

export type Lie =
  | { readonly kind: 'none' }
  | { readonly kind: 'seconds' }
  | {
      /** It counts down as it should, and to an instant at which the window is not over. */
      readonly kind: 'early';
      readonly byMs: number;
    }
  | { readonly kind: 'rising' }
  | { readonly kind: 'constant'; readonly retryAfterMs: number }
  | {
      /** What is said is always this many times the truth. */
      readonly kind: 'scaled';
      readonly factor: number;
    }
  | { readonly kind: 'scattered'; readonly spreadMs: number };

export type Honesty = {
  readonly verdict: 'honest' | 'dishonest' | 'unclear';
  readonly lie: Lie;
  /** Windows that told something, and those that contradicted themselves. */
  readonly judged: number;
  readonly contradicting: number;
  /** How far the instants implied within one window lie apart, at most, beyond what the way there explains. */
  readonly spreadMs: number;
  /** Windows in which a single client was refused after it had waited as told. */
  readonly refusedAfter: number;
  /** Windows in which it never was. */
  readonly acceptedAfter: number;
};

/** What a window's refusals may differ by: timers, and a part of the window for servers whose clocks differ. */
const slackMs = 25;
const slackShare = 0.05;
/** A window tells something when its refusals are spread over this share of it. */
const leastSpan = 0.2;
/** The truth is told only where a lie as small as this would have shown. */
const leastLie = 0.2;
/** What counts up, one for each millisecond, has the factor −1. */
const risingBelow = -0.5;

/**
 * Whether `retryAfterMs` is the truth. Each refusal implies an instant of reset: it was computed somewhere on the way, so
 * that instant lies between sending plus `retryAfterMs` and receipt plus `retryAfterMs`. All refusals of one window mean
 * the same instant, so their intervals must overlap; whoever says s times the truth moves it by 1 − s for each ms that
 * passes:
 *
 *     implied
 *     instant │ ············▁▁▂▂▃▃▄▄   s < 1
 *             │ ▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬▬   honest
 *             └──────────────────────── when it was said
 */
export function judgeHonesty(windows: readonly LimitedWindow[]): Honesty {
  const telling = windows.filter(isTelling);
  const spreads = telling.map(disagreementMs);
  const contradicting = telling.filter((window, index) => (spreads[index] ?? 0) > allowedMs(window)).length;
  const closed = windows.filter(({ isWaitedOut }) => isWaitedOut);
  const refusedAfter = closed.filter(wasRefusedAfterWaiting).length;
  const common = {
    judged: telling.length,
    contradicting,
    spreadMs: Math.max(0, ...spreads),
    refusedAfter,
    acceptedAfter: closed.length - refusedAfter,
  };
  const isDishonest = isMost(contradicting, telling.length) || isMost(refusedAfter, closed.length);
  if (isDishonest) return { ...common, verdict: 'dishonest', lie: nameLie(windows) };
  const isClear = telling.filter(wouldShowLie).length >= 2 && closed.length >= 2;
  return { ...common, verdict: isClear ? 'honest' : 'unclear', lie: { kind: 'none' } };
}

/** One odd window is an accident of somebody's; most of several are not. */
function isMost(count: number, of: number): boolean {
  return count >= 2 && count * 2 > of;
}

/** From the first refusal to the end of the window, as far as anybody knows. */
function lengthMs({ refused, reopened }: LimitedWindow): number {
  const first = refused[0];
  const last = reopened ?? refused.at(-1);
  return first === undefined || last === undefined ? 0 : Math.max(1, last.receivedAt - first.sentAt);
}

function isTelling(window: LimitedWindow): boolean {
  const told = refusalsIn(window);
  const [first] = told;
  const last = told.at(-1);
  if (first === undefined || last === undefined || told.length < 3 || !window.isWaitedOut) return false;
  return last.sentAt - first.sentAt >= leastSpan * lengthMs(window);
}

/** Whether a lie of a fifth would have moved the implied instants further apart than is allowed, and than the way blurs. */
function wouldShowLie(window: LimitedWindow): boolean {
  const told = refusalsIn(window);
  const spanMs = (told.at(-1)?.sentAt ?? 0) - (told[0]?.sentAt ?? 0);
  const blurMs = median(told.map(({ sentAt, receivedAt }) => receivedAt - sentAt));
  return leastLie * spanMs > allowedMs(window) + blurMs;
}

/** How far the intervals of the implied instants are from having one in common. */
function disagreementMs(window: LimitedWindow): number {
  const resets = refusalsIn(window).map(impliedReset);
  const latestStart = Math.max(...resets.map(({ earliest }) => earliest));
  return Math.max(0, latestStart - Math.min(...resets.map(({ latest }) => latest)));
}

function allowedMs(window: LimitedWindow): number {
  return slackMs + slackShare * lengthMs(window) + stepMs(window);
}

/** A target that rounds to whole seconds is coarse, not dishonest. */
function stepMs(window: LimitedWindow): number {
  const refusals = refusalsIn(window);
  return refusals.some(({ retryAfterMs }) => retryAfterMs > 0) ? roundingOf(refusals) : 1;
}

/** Whether some refusal came to somebody who had waited as an earlier one of the same window said. */
function wasRefusedAfterWaiting(window: LimitedWindow): boolean {
  const slack = slackMs + stepMs(window);
  const earliest = Math.min(...refusalsIn(window).map((refusal) => impliedReset(refusal).latest));
  return window.refused.some(({ sentAt }) => sentAt > earliest + slack);
}

function nameLie(windows: readonly LimitedWindow[]): Lie {
  const factors: number[] = [];
  const told: { readonly said: number; readonly trueMs: number }[] = [];
  const early: number[] = [];
  const telling = windows.filter(isTelling);
  for (const window of telling) {
    const counting = refusalsIn(window).filter(({ retryAfterMs }) => retryAfterMs > 0);
    factors.push(-slope(counting));
    const reset = window.reopened?.sentAt ?? window.refused.at(-1)?.receivedAt ?? 0;
    for (const { receivedAt, retryAfterMs } of refusalsIn(window)) {
      if (reset - receivedAt > slackMs) told.push({ said: retryAfterMs, trueMs: reset - receivedAt });
    }
    early.push(reset - median(counting.map((refusal) => impliedReset(refusal).latest)));
  }
  const spreadMs = Math.max(0, ...telling.map(disagreementMs));
  const factor = median(factors);
  const values = telling.flatMap((window) => refusalsIn(window).map(({ retryAfterMs }) => retryAfterMs));
  if (told.length > 0 && told.every(isInSeconds) && Math.max(...values) > 0) return { kind: 'seconds' };
  if (Math.max(...values) - Math.min(...values) <= 0.02 * median(values))
    return { kind: 'constant', retryAfterMs: median(values) };
  if (Math.abs(factor - 1) < 0.05 && median(early) > slackMs) return { kind: 'early', byMs: median(early) };
  if (factor < risingBelow) return { kind: 'rising' };
  const isStraight = factors.every((one) => Math.abs(one - factor) <= 0.1 * Math.max(0.2, factor));
  return isStraight && factor > 0.02 ? { kind: 'scaled', factor } : { kind: 'scattered', spreadMs };
}

/** However it was rounded; the milliseconds themselves are far above that. */
function isInSeconds({ said, trueMs }: { readonly said: number; readonly trueMs: number }): boolean {
  return Math.abs(said - trueMs / 1000) <= 1 && said < trueMs / 10;
}

/** How `retryAfterMs` changes with the time at which it was said: −1 when it is honest. */
function slope(refusals: readonly Refusal[]): number {
  return lineThrough(
    refusals.map(({ sentAt, receivedAt, retryAfterMs }) => ({ x: (sentAt + receivedAt) / 2, y: retryAfterMs })),
  ).slope;
}
